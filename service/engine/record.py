"""The text of a whole game: headers and numbered commands, which any language can replay."""

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeVar

from service.engine.deal import Deal
from service.engine.errors import EngineError, NotationError, UnplayablePosition
from service.engine.game import ENGINE_VERSION, Game
from service.engine.log import COUNTS, SEATS, Entry, packed
from service.engine.moves import Kind
from service.engine.notation import Scanner, format_deal, format_rules, parse_deal, parse_rules, scan_move
from service.engine.rules import Rules

NAME: Final = "British Constitution"
LINE_WIDTH: Final = 100
_BARE: Final = (Kind.RESTART, Kind.RESIGN, Kind.ASK)
_NO_BREAK: Final = "\N{NO-BREAK SPACE}"
_VALUE: Final = re.compile('[^"\n]*')
_SPACE: Final = re.compile("[ \n]+")
_T = TypeVar("_T")


class Record(NamedTuple):
    """A deal, a rule set and the commands that were given; a record keeps no times."""

    deal: Deal
    rules: Rules
    entries: tuple[Entry, ...]


def format_record(deal: Deal, rules: Rules, entries: Iterable[Entry]) -> str:
    """The record of a sound log."""
    game = Game.begin(deal, rules)
    commands = []
    for entry in entries:
        game = _after(game, entry)
        commands.append(f"{game.seq}.{_NO_BREAK}{_format_command(entry)}")
    headers = [f'[{name} "{value}"]' for name, value in _headers(deal, rules, game).items()]
    lines = textwrap.wrap(" ".join(commands), LINE_WIDTH)
    return "\n".join([*headers, "", *lines, ""]).replace(_NO_BREAK, " ")


def parse_record(text: str) -> Record:
    """The record; every command must be possible, and the headers must say what the commands come to."""
    scanner = Scanner("record", text)
    scanner.expect(f'[Game "{NAME}"]\n', f'[Game "{NAME}"] and the end of the line')
    rules = _scan_header(scanner, "Rules", parse_rules)
    deal_at = scanner.at
    deal = _scan_header(scanner, "Deal", parse_deal)
    results = [(name, scanner.at, _scan_header(scanner, name, str)) for name in ("Engine", "Status", "Points")]
    game, entries = _scan_commands(scanner, _begun(scanner, deal, rules, deal_at))
    headers = _headers(deal, rules, game)
    for name, at, value in results:
        if value != headers[name]:
            scanner.fail(f'[{name} "{headers[name]}"], which is what the commands come to', at)
    return Record(deal, rules, entries)


def _headers(deal: Deal, rules: Rules, game: Game) -> dict[str, str]:
    return {
        "Game": NAME,
        "Rules": format_rules(rules),
        "Deal": format_deal(deal),
        "Engine": str(ENGINE_VERSION),
        "Status": game.status,
        "Points": str(game.points.total),
    }


def _after(game: Game, entry: Entry) -> Game:
    return game.after(entry, packed(entry, game.crc)[1])


def _begun(scanner: Scanner, deal: Deal, rules: Rules, deal_at: int) -> Game:
    try:
        return Game.begin(deal, rules)
    except UnplayablePosition as error:
        scanner.fail(f"a deal that the rules can play ({error})", deal_at)


def _scan_header(scanner: Scanner, name: str, parse: Callable[[str], _T]) -> _T:
    """The value of a line `[name "value"]`; what its own parser says is told at its place in the record."""
    scanner.expect(f'[{name} "', f'[{name} "…"]')
    start = scanner.at
    value = scanner.match(_VALUE, "a value")
    try:
        parsed = parse(value)
    except NotationError as error:
        scanner.fail(error.expected, start + error.at)
    scanner.expect('"]\n', '"] and the end of the line')
    return parsed


def _scan_commands(scanner: Scanner, game: Game) -> tuple[Game, tuple[Entry, ...]]:
    entries: list[Entry] = []
    while scanner.at < len(scanner.text):
        scanner.match(_SPACE, "a space or a new line")
        if scanner.at == len(scanner.text):
            break
        scanner.expect(f"{game.seq + 1}. ", f"'{game.seq + 1}. ' and a command")
        at = scanner.at
        entry = _scan_command(scanner, game)
        try:
            game = _after(game, entry)
        except EngineError as error:
            scanner.fail(f"a command that is possible here ({error})", at)
        entries.append(entry)
    return game, tuple(entries)


def _format_command(entry: Entry) -> str:
    command = str(entry.move or entry.kind) + (f":{entry.count}" if entry.count else "")
    return command + (f"@{entry.seat}" if entry.seat else "")


def _scan_command(scanner: Scanner, game: Game) -> Entry:
    entry = _scan_unseated(scanner, game)
    return entry._replace(seat=scanner.number(SEATS[1:])) if scanner.take("@") else entry


def _scan_unseated(scanner: Scanner, game: Game) -> Entry:
    for kind, counts in COUNTS.items():
        if scanner.take(f"{kind}:"):
            return Entry(kind, count=scanner.number(counts))
    for kind in _BARE:
        if scanner.take(kind):
            return Entry(kind)
    move = scan_move(scanner)
    return Entry(game.kind_of(move), move=move)
