"""What one committed move costs beside the store and the socket: `python -m tests.bench.turns`.

Each move of the golden wins is made on a game that nobody has asked anything yet: its entry is packed, the game after
it is made and judged, and the event is encoded as the mover sees it, and as a spectator does.
"""

from collections import Counter
from collections.abc import Iterator
from statistics import median
from time import process_time

from service.engine import PRESETS, Game, Status
from service.engine.log import crc_of, pack
from service.engine.notation import parse_deal
from service.ports import SeatHolder, SessionMeta
from service.protocol.messages import encode
from service.usecases.history import Turn
from service.usecases.views import event_view
from tests.engine.games import WINS, Win, entry_of

ROUNDS = 9
PARTS = ("the entry and the game after it", "its legal moves", "the mover's event", "a spectator's event")


def meta_of(win: Win) -> SessionMeta:
    return SessionMeta(
        id="0123456789abcdef0123456789abcdef",
        rules=win.preset,
        deal=win.deal,
        secret=False,
        spectators=True,
        engine=1,
        created=0,
        updated=0,
        status="playing",
        is_open=True,
        mode="solo",
        capacity=1,
        invite="",
        seats=(SeatHolder("one", "One"),),
    )


def games_of(win: Win) -> Iterator[Game]:
    """The game before each move of the win."""
    game = Game.begin(parse_deal(win.deal), win.rules)
    for move in win.moves:
        yield game
        entry = entry_of(game, move)
        game = game.after(entry, crc_of(pack(entry, game.crc)))


def seconds_of(win: Win, games: list[Game]) -> Counter[str]:
    """The processor time of each part, over all moves of the win."""
    meta, entries = meta_of(win), [entry_of(game, move) for game, move in zip(games, win.moves, strict=True)]
    fresh = [game._replace() for game in games]
    times = [process_time()]
    after = [game.after(entry, crc_of(pack(entry, game.crc))) for game, entry in zip(fresh, entries, strict=True)]
    times.append(process_time())
    for game in after:
        assert game.legal or game.status is not Status.PLAYING
    times.append(process_time())
    turns = list(map(Turn, fresh, entries, after))
    for seat in (0, None):
        for turn in turns:
            encode(event_view(meta, turn, seat))
        times.append(process_time())
    return Counter({part: end - begun for part, begun, end in zip(PARTS, times, times[1:], strict=False)})


def main() -> None:
    for preset in PRESETS:
        wins = [(win, list(games_of(win))) for win in WINS if win.preset == preset]
        moves = sum(len(win.moves) for win, _ in wins)
        rounds = [sum((seconds_of(*win) for win in wins), Counter[str]()) for _ in range(ROUNDS)]
        print(f"{preset}, µs a move, median of {ROUNDS}")
        for part in PARTS:
            print(f"  {part:34}{median(seconds[part] for seconds in rounds) / moves * 1e6:6.1f}")


if __name__ == "__main__":
    main()
