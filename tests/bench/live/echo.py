"""The floor: what FastAPI's own WebSocket costs, with nothing behind it."""

from contextlib import suppress

from fastapi import FastAPI, WebSocket, WebSocketDisconnect

from tests.bench.live.listening import serve

app = FastAPI()
_room: set[WebSocket] = set()


@app.websocket("/echo")
async def echo(socket: WebSocket) -> None:
    """Says everything again."""
    await socket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(await socket.receive_text())


@app.websocket("/room")
async def room(socket: WebSocket) -> None:
    """Says everything again, to everybody here."""
    await socket.accept()
    _room.add(socket)
    try:
        with suppress(WebSocketDisconnect):
            while True:
                frame = {"type": "websocket.send", "text": await socket.receive_text()}
                for other in tuple(_room):
                    with suppress(WebSocketDisconnect):
                        await other.send(frame)
    finally:
        _room.discard(socket)


if __name__ == "__main__":
    serve(app)
