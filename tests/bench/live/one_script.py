"""A plain way to write the service: the same rules, and one awaited script a move through redis-py.

It speaks as much of the service's protocol as the load generator does, and tells the mover nothing but the ack.
"""

import os
import secrets
from contextlib import suppress
from typing import Any

from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from redis.asyncio import Redis

from service.engine import PRESETS, Position
from service.engine.deal import start
from service.engine.log import EMPTY_CRC, ENTRY_BYTES, Entry, crc_of, pack
from service.engine.moves import kind_of, transfer, why_not
from service.engine.notation import parse_deal, parse_move
from service.protocol import messages
from tests.bench.live.listening import serve

RULES = PRESETS["modern"]
APPEND = """
if redis.call('STRLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
redis.call('APPEND', KEYS[1], ARGV[2])
redis.call('SPUBLISH', KEYS[2], ARGV[2])
return 1
"""

app = FastAPI()
_append = Redis.from_url(os.environ.get("REDIS_URL", "redis://")).register_script(APPEND)
_openings: dict[str, Position] = {}


@app.post("/v1/players")
async def player() -> dict[str, str]:
    return {"token": "anybody"}


@app.post("/v1/sessions")
async def create(body: dict[str, Any]) -> dict[str, str]:
    session = secrets.token_hex(16)
    _openings[session] = start(parse_deal(body["deal"]), RULES)
    return {"id": session}


@app.websocket("/v1/sessions/{session}/live")
async def live(socket: WebSocket, session: str) -> None:
    await socket.accept()
    with suppress(WebSocketDisconnect):
        await socket.receive_text()
        await socket.send_text('{"type":"snapshot"}')
        await _play(socket, session)


async def _play(socket: WebSocket, session: str) -> None:
    """Plays until the socket closes."""
    position, seq, crc = _openings.pop(session), 0, EMPTY_CRC
    keys = [f"one:{{{session}}}:log", f"one:{{{session}}}"]
    while True:
        message = messages.decode(await socket.receive_text())
        assert isinstance(message, messages.Play)
        move = parse_move(message.move)
        packed = pack(Entry(kind_of(position, move), move=move), crc)
        if why_not(position, move, RULES) or not await _append(keys, [message.at * ENTRY_BYTES, packed]):
            await socket.send_text('{"type":"refused"}')
            continue
        position, seq, crc = transfer(position, move, RULES), seq + 1, crc_of(packed)
        ack = messages.Ack(session, message.at, seq, messages.format_crc(crc))
        await socket.send_text(messages.encode(ack).decode())


if __name__ == "__main__":
    serve(app)
