"""What the tests of the engine share: the golden games, and strategies for games that can be played."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from service.engine import PRESETS, Fill, Game, Kind, Move, Numbered, Position, Pysol, Rules, apply, legal_moves
from service.engine.deal import NUMBERS, PYSOL_MS_NUMBERS, PYSOL_NUMBERS, SEED_BYTES, Deal, Seeded, start
from service.engine.log import EMPTY_CRC, Entry, crc_of, pack
from service.engine.notation import parse_deal, parse_move

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> Any:
    """The contents of a file of golden data."""
    return json.loads((GOLDEN / name).read_text("ascii"))


class Play(NamedTuple):
    """Moves under a rule set: `moves[n]` leads from `positions[n]` to `positions[n + 1]`."""

    rules: Rules
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def steps(self) -> list[tuple[Position, Move, Position]]:
        """Each move between the position before it and the position after it."""
        return list(zip(self.positions, self.moves, self.positions[1:], strict=False))


class Win(NamedTuple):
    """A won game of the golden data, with its points and tempo."""

    preset: str
    deal: str
    moves: tuple[str, ...]
    points: int
    tempo: int

    def __str__(self) -> str:
        return f"{self.preset} {self.deal}"

    @property
    def rules(self) -> Rules:
        return PRESETS[self.preset]

    @property
    def play(self) -> Play:
        return played(parse_deal(self.deal), self.rules, self.moves)


@cache
def played(deal: Deal, rules: Rules, moves: tuple[str, ...]) -> Play:
    """The moves played from a deal; raises IllegalMove."""
    positions = [start(deal, rules)]
    for move in moves:
        positions.append(apply(positions[-1], parse_move(move), rules))
    return Play(rules, tuple(positions), tuple(map(parse_move, moves)))


WINS = tuple(Win(**{**win, "moves": tuple(win["moves"])}) for win in golden("winning-lines.json"))


def win(preset: str, deal: str) -> Win:
    """The golden win of this deal under this preset."""
    return next(win for win in WINS if (win.preset, win.deal) == (preset, deal))


def won(preset: str, deal: str, moves: int) -> Position:
    """The position after so many moves of a golden win."""
    return win(preset, deal).play.positions[moves]


TO_AND_FRO = (
    "9D,4H,7S6H,JS,7S,5D4S,4D,4D/8D,TC,8D,JC,4H,2H,9C,JD/TH,6H,8H,TD,2S,3D,8S,5D/TD,8H,7C,6D,4C,7H,TC,6D 3A2A2A22 "
    "4C3CTSJS3S5C6CJCJH9C9S8C8C3H7H3S4S7D6S5C9H5STS5H9S3D9D6C7D7C3HJH5S6S8STH9H5HJD2C -"
)
"""A position of modern that is stuck: its one legal move, `c1e1`, can only be taken back."""

preset_rules = st.sampled_from(list(PRESETS.values()))
any_rules = st.builds(
    Rules,
    lateral=st.booleans(),
    deep=st.booleans(),
    waste=st.booleans(),
    people=st.booleans(),
    fill=st.sampled_from(Fill),
)
dealt_deals = st.one_of(
    st.builds(Numbered, st.integers(NUMBERS[0], NUMBERS[-1])),
    st.builds(Pysol, st.integers(PYSOL_NUMBERS[0], PYSOL_NUMBERS[-1])),
    st.builds(Pysol, st.integers(PYSOL_MS_NUMBERS[0], PYSOL_MS_NUMBERS[-1]), st.just(value=True)),
    st.builds(Seeded, st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES)),
)


@st.composite
def plays(draw: st.DrawFn, rule_sets: st.SearchStrategy[Rules] = preset_rules, most: int = 100) -> Play:
    """At most so many moves, each any of the legal ones, from an opening or from some way into a golden win."""
    rules = draw(rule_sets)
    positions = [draw(beginnings(rules))]
    moves: list[Move] = []
    for choice in draw(choices(most)):
        if not (legal := legal_moves(positions[-1], rules)):
            break
        moves.append(legal[choice % len(legal)])
        positions.append(apply(positions[-1], moves[-1], rules))
    return Play(rules, tuple(positions), tuple(moves))


def beginnings(rules: Rules) -> st.SearchStrategy[Position]:
    """Openings, and positions of the golden wins that were played under these rules."""
    openings = st.builds(start, dealt_deals, st.just(rules))
    on_the_way = [position for win in WINS if win.rules == rules for position in win.play.positions]
    return st.one_of(openings, st.sampled_from(on_the_way)) if on_the_way else openings


def choices(most: int) -> st.SearchStrategy[bytes]:
    """Up to so many bytes, long as often as short."""
    return st.integers(0, most).flatmap(lambda length: st.binary(min_size=length, max_size=length))


def entry_of(game: Game, command: str, time: int = 0) -> Entry:
    """The entry for a command as a record writes it: `c2f1`, `undo:2`, `restart@1`."""
    name, _, seat = command.partition("@")
    name, _, count = name.partition(":")
    if name in list(Kind):
        return Entry(Kind(name), int(seat or 0), time, count=int(count or 0))
    move = parse_move(name)
    return Entry(game.kind_of(move), int(seat or 0), time, move)


def entries_of(game: Game, commands: str) -> list[Entry]:
    """The entries for possible commands with spaces between."""
    entries = []
    for command in commands.split():
        entries.append(entry_of(game, command))
        game = commanded(game, command)
    return entries


def commanded(game: Game, commands: str) -> Game:
    """The game after commands with spaces between."""
    for command in commands.split():
        entry = entry_of(game, command)
        game = game.after(entry, crc_of(pack(entry, game.crc)))
    return game


def packed(entries: Iterable[Entry], crc: int = EMPTY_CRC) -> bytes:
    """The bytes of entries that follow a log with this checksum."""
    log = b""
    for entry in entries:
        log += pack(entry, crc_of(log) if log else crc)
    return log
