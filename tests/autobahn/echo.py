"""An echo, on the service's own sockets, which is what Autobahn's cases ask of a server."""

import uvicorn
from fastapi import FastAPI, WebSocket

from service import serving
from service.web.socket import LiveSocket, live_socket

LARGEST = 16 * 2**20
"""Bytes in the largest message of the cases; the service itself takes less."""

app = FastAPI()


class Echo:
    """Says everything again."""

    def __init__(self, socket: LiveSocket) -> None:
        self._socket = socket

    def receive(self, message: str | bytes) -> None:
        socket = self._socket
        if isinstance(message, str):
            socket.send_texts([message.encode()])
        elif not socket.close_sent:
            socket.conn.send_binary(message)
            socket.transport.write(b"".join(socket.conn.data_to_send()))

    def stall(self) -> None: ...

    def resume(self) -> None: ...

    def gone(self) -> None: ...


@app.websocket("/")
async def echo(socket: WebSocket) -> None:
    await socket.accept()
    taken = live_socket(socket)
    taken.take(Echo(taken))


if __name__ == "__main__":
    config = serving.config(app)
    config.ws_max_size = LARGEST
    with serving.listening("127.0.0.1", 0) as listening:
        host, port = listening.getsockname()
        print(f"ws://{host}:{port}/", flush=True)
        uvicorn.Server(config).run([listening])
