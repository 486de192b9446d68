"""A whole winning game against a running service: one client plays it over HTTP, another watches it over a socket.

It uses the service as any front end would: without rules, from what it is told.
"""

import asyncio
import os
import sys
from importlib import resources
from typing import Any, Final

import httpx
import msgspec
import websockets
from websockets.asyncio.client import ClientConnection

from service.engine.notation import format_deal, format_rules
from service.engine.record import parse_record

WAIT_SECONDS: Final = 10.0
ROW_NAMES: Final = ("Privy Council", "House of Lords", "House of Commons", "People")
SUIT_SIGNS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}
RANKS: Final = "A23456789TJ"
RED: Final = "\x1b[31m"
PLAIN: Final = "\x1b[0m"
HOME: Final = "\x1b[H\x1b[J"


class DemoFailed(Exception):
    """The service is not there, or did not do as it should; one line says what."""


async def demo(url: str, pace: float) -> None:
    """Plays the stored game at `pace` moves a second (0: at once) and draws it; raises DemoFailed."""
    record = parse_record(resources.files("service").joinpath("demo.record").read_text("utf-8"))
    try:
        async with httpx.AsyncClient(base_url=url, timeout=WAIT_SECONDS) as client:
            player = await _post(client, "/v1/players", {})
            client.headers["Authorization"] = f"Bearer {player['token']}"
            asked = {"rules": format_rules(record.rules), "deal": format_deal(record.deal)}
            session = await _post(client, "/v1/sessions", asked)
            live = f"{url.replace('http', 'ws', 1)}/v1/sessions/{session['id']}/live"
            async with websockets.connect(live) as socket:
                watching = asyncio.create_task(_watch(socket, len(record.entries)))
                for entry in record.entries:
                    move = {"move": str(entry.move), "at": session["seq"], "crc": session["crc"]}
                    session = await _post(client, f"/v1/sessions/{session['id']}/moves", move)
                    await asyncio.sleep(1 / pace if pace else 0)
                seen = await asyncio.wait_for(watching, WAIT_SECONDS)
    except (httpx.HTTPError, OSError, websockets.WebSocketException, TimeoutError) as error:
        raise DemoFailed(f"{url}: {type(error).__name__}: {error}") from error
    if (seen["status"], seen["points"]) != ("won", session["points"]):
        raise DemoFailed(f"the player saw {session['points']}, the spectator {seen['points']}")
    print(f"{player['name']} won {asked['deal']} ({asked['rules']}) in {session['seq']} moves", end=": ")
    print(f"{session['points']['total']} points. The record: {url}/v1/sessions/{session['id']}/record")


async def _post(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    response = await client.post(path, json=body)
    answer: dict[str, Any] = response.json()
    if response.is_error:
        raise DemoFailed(f"{path}: {answer.get('code')}: {answer.get('detail')}")
    return answer


async def _watch(socket: ClientConnection, until: int) -> dict[str, Any]:
    """Draws what a spectator is told, until entry `until`; answers with the board as it then is."""
    await socket.send('{"type": "hello", "v": 1}')
    board: dict[str, Any] = {"seq": -1}
    while board["seq"] < until:
        message = msgspec.json.decode(await socket.recv())
        match message["type"]:
            case "snapshot" | "reset":
                board = message["session"]
            case "event":
                _change(board, message)
            case "bye":
                raise DemoFailed(f"the socket was closed: {message['code']}")
            case _:
                continue
        print(_drawn(board), flush=True)
    return board


def _change(board: dict[str, Any], event: dict[str, Any]) -> None:
    """What a client without rules does with an event: takes over what it says."""
    for place, pile in event["piles"].items():
        board["rows"][int(place[1]) - 1]["abcdefgh".index(place[0])] = pile
    board.update({name: event[name] for name in ("seq", "foundations", "stock", "waste", "status", "points", "move")})


def _drawn(board: dict[str, Any]) -> str:
    """The board for a terminal, or one line for anything else."""
    points, move = board["points"], board.get("move", "deal")
    summary = (
        f"{board['seq']:>3} {move:<5} stock {board['stock']:>2}  promoted {points['promoted']:>2}/80  "
        f"{points['total']:>5} points  {board['status']}"
    )
    if not sys.stdout.isatty():
        return summary
    government = [RANKS[rank - 1] + suit for rank, suit in zip(board["foundations"], "CCSSHHDD", strict=True)]
    lines = [_row("Government", government)]
    lines += [_row(name, row) for name, row in zip(ROW_NAMES, board["rows"], strict=True)]
    waste = f"waste {_card(board['waste'][-2:])}" if board["waste"] else ""
    return HOME + "\n\n".join([*lines, f"{summary}  {waste}", ""])


def _row(name: str, piles: list[str]) -> str:
    return f"{name:<17}" + " ".join(_card(pile[-2:]) + _depth(pile) for pile in piles)


def _card(card: str) -> str:
    if not card:
        return "[   ]"
    face = f"{'10' if card[0] == 'T' else card[0]:>2}{SUIT_SIGNS[card[1]]}"
    coloured = card[1] in "HD" and sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return f"[{RED}{face}{PLAIN}]" if coloured else f"[{face}]"


def _depth(pile: str) -> str:
    cards = len(pile) // 2
    return f"{cards:<2}" if cards > 1 else "  "
