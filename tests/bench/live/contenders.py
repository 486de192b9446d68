"""Who is measured: how each is started, and how seats at its games are had."""

import http.client
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from service.engine import legal_moves
from service.engine.deal import Pysol, dealt
from service.engine.notation import format_card, parse_deal
from tests.bench.live.load import Seat
from tests.bench.live.players import BoardgameIo, Broadcast, Colyseus, Echoed, Ours, OursWithRules
from tests.bench.live.processes import Failed
from tests.bench.live.stores import Store, postgres, redis
from tests.engine.games import WINS, Win

ASKING: Final = 30.0  # seconds
INSTALLING: Final = 600.0  # seconds
CHECKING: Final = 60.0  # seconds
PEERS: Final = Path(__file__).parent / "peers"
GAMES: Final = [win for win in WINS if win.preset == "modern"]


class Asker:
    """Asks one program over HTTP, in JSON, on one connection."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.socket_url = url.replace("http:", "ws:")
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=ASKING)

    def post(self, path: str, body: Mapping[str, Any], token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._connection.request("POST", path, json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise Failed(f"{path}: {answer.status} {text[:300]!r}")
        return json.loads(text)


@dataclass(frozen=True)
class Contender:
    """A program that is measured; `seats` sets up so many games and answers with a seat at each.

    It is started beside a store where it wants one.
    """

    name: str
    command: tuple[str, ...]
    seats: Callable[[Asker, int], list[Seat]]
    store: Callable[[], AbstractContextManager[Store]] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


def _games(count: int) -> list[Win]:
    return list(islice(cycle(GAMES), count))


def _echo_seats(asker: Asker, count: int) -> list[Seat]:
    return [Seat(f"{asker.socket_url}/echo", {}, Echoed)] * count


def room_seat(asker: Asker, length: int) -> Seat:
    """A seat of the echo server whose frames, so long, everybody is told."""
    return Seat(f"{asker.socket_url}/room", {}, partial(Broadcast, length=length))


def _our_seats(asker: Asker, count: int, client: type[Ours] = OursWithRules) -> list[Seat]:
    token = asker.post("/v1/players", {})["token"]
    headers = {"Authorization": f"Bearer {token}"}
    seats = []
    for win in _games(count):
        session = asker.post("/v1/sessions", {"deal": win.deal}, token)["id"]
        player = partial(client, session=session, moves=win.moves)
        seats.append(Seat(f"{asker.socket_url}/v1/sessions/{session}/live", headers, player))
    return seats


def _boardgame_seats(asker: Asker, count: int) -> list[Seat]:
    seats = []
    for win in _games(count):
        match = asker.post("/games/patience/create", {"numPlayers": 1, "setupData": {"cards": _cards(win)}})["matchID"]
        joined = asker.post(f"/games/patience/{match}/join", {"playerID": "0", "playerName": "bench"})
        player = partial(BoardgameIo, session=match, moves=win.moves, credentials=joined["playerCredentials"])
        seats.append(Seat(f"{asker.socket_url}/socket.io/?EIO=4&transport=websocket", {}, player))
    return seats


def _colyseus_seats(asker: Asker, count: int) -> list[Seat]:
    seats = []
    for win in _games(count):
        place = asker.post("/matchmake/create/patience", {"cards": _cards(win)})
        url = f"{asker.socket_url}/{place['processId']}/{place['roomId']}?sessionId={place['sessionId']}"
        seats.append(Seat(url, {}, partial(Colyseus, session=place["roomId"], moves=win.moves)))
    return seats


def _cards(win: Win) -> str:
    """The cards of a game in dealing order."""
    deal = parse_deal(win.deal)
    assert isinstance(deal, Pysol)
    return "".join(map(format_card, dealt(deal)))


def _module(name: str) -> tuple[str, ...]:
    return (sys.executable, "-m", name)


def _script(name: str) -> tuple[str, ...]:
    return ("node", str(PEERS / name))


_NODE: Final = {"NODE_ENV": "production"}
_NO_RATES: Final = dict.fromkeys(("COMMANDS_PER_MINUTE", "SESSIONS_PER_HOUR", "REQUESTS_PER_MINUTE"), "0")
_UNLIMITED: Final = {**_NO_RATES, "DAYS_AHEAD": "0"}
"""One player and one address play all games, and no days are prepared beside."""
ECHO: Final = Contender("echo", _module("tests.bench.live.echo"), _echo_seats)
OURS: Final = Contender(
    "ours", (*_module("service"), "serve", "--port", "0"), _our_seats, store=redis, environment=_UNLIMITED
)
WITH_LEGAL: Final = replace(OURS, name="with-legal", seats=partial(_our_seats, client=Ours))
"""Ours to a client without rules, which is told the legal moves with every event."""
ONE_SCRIPT: Final = Contender("one-script", _module("tests.bench.live.one_script"), _our_seats, store=redis)
BOARDGAME_IO: Final = Contender("boardgame.io", _script("boardgameio.js"), _boardgame_seats, environment=_NODE)
BOARDGAME_IO_DB: Final = replace(BOARDGAME_IO, name="boardgame.io-db", store=postgres)
COLYSEUS: Final = Contender("colyseus", _script("colyseus.js"), _colyseus_seats, environment=_NODE)


def node_peers() -> tuple[Contender, ...]:
    """The peers that run on Node, installed and checked; raises Failed where that cannot be."""
    if not shutil.which("node"):
        raise Failed("there is no node")
    try:
        if not _is_installed():
            _run(("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"), INSTALLING)
        lines = [_line(win) for win in GAMES]
        print("rules of the peers:", _run(_script("check.js"), CHECKING, json.dumps(lines)).strip(), flush=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise Failed(f"{error}\n{getattr(error, 'stderr', None) or ''}".strip()) from error
    return BOARDGAME_IO, BOARDGAME_IO_DB, COLYSEUS


def _is_installed() -> bool:
    """Whether what npm put down is of this lock."""
    installed, lock = PEERS / "node_modules" / ".package-lock.json", PEERS / "package-lock.json"
    return installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime


def _line(win: Win) -> dict[str, Any]:
    """A golden game as check.js wants it."""
    legal = [len(legal_moves(position, win.rules)) for position in win.play.positions[:-1]]
    return {"deal": win.deal, "cards": _cards(win), "moves": win.moves, "legal": legal}


def _run(command: tuple[str, ...], seconds: float, said: str = "") -> str:
    done = subprocess.run(command, cwd=PEERS, input=said, capture_output=True, text=True, timeout=seconds, check=True)
    return done.stdout
