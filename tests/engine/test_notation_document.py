"""NOTATION.md says what the engine does: its grammar is read, its code is run, and its examples are tried."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import service.engine
from service.engine import PRESETS, Game, Given, Kind, NotationError, Numbered, Pysol, Seeded
from service.engine.deal import NUMBERS, PYSOL_MS_NUMBERS, PYSOL_NUMBERS, SEED_BYTES, dealt
from service.engine.game import replay
from service.engine.log import COUNTS, MOVE_KINDS, Entry, unpack
from service.engine.moves import kind_of
from service.engine.notation import (
    format_cards,
    format_deal,
    format_move,
    format_position,
    format_view,
    parse_card,
    parse_deal,
    parse_move,
    parse_position,
    parse_rules,
    parse_view,
)
from service.engine.record import format_record, parse_record
from service.engine.view import view_of
from tests.engine.ebnf import Grammar
from tests.engine.games import Play, dealt_deals, entries_of, plays, won

DOCUMENT = (Path(service.engine.__file__).parent / "NOTATION.md").read_text("utf-8")
PARSERS: dict[str, Callable[[str], Any]] = {
    "card": parse_card,
    "move": parse_move,
    "rules": parse_rules,
    "deal": parse_deal,
    "position": parse_position,
    "view": parse_view,
    "record": parse_record,
}


def blocks(language: str) -> list[str]:
    """The fenced blocks of the document that are in this language."""
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert found
    return found


def lines(language: str) -> list[str]:
    return [line for block in blocks(language) for line in block.splitlines()]


def rows(first_column: str) -> list[list[str]]:
    """The rows of the table whose first column is headed so."""
    table = re.search(rf"^\| {first_column} \|.*\n\|[ -|]*\n((?:\|.*\n)+)", DOCUMENT, re.MULTILINE)
    assert table
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[1].splitlines()]


GRAMMAR = Grammar(blocks("ebnf")[0])
CODE: dict[str, Any] = {}
for block in blocks("python"):
    exec(block, CODE)


# the grammar


@given(st.sampled_from(["card", "move", "rules"]).flatmap(lambda name: st.tuples(st.just(name), text_of(name))))
def test_what_fits_the_grammar_of_a_card_a_move_or_a_rule_set_parses(named: tuple[str, str]) -> None:
    name, text = named
    PARSERS[name](text)


def text_of(name: str) -> st.SearchStrategy[str]:
    return st.from_regex(GRAMMAR.expression(name), fullmatch=True)


@given(plays(most=20), dealt_deals)
def test_what_is_written_fits_the_grammar(play: Play, deal: Numbered | Pysol | Seeded) -> None:
    begun = Game.begin(Given(play.positions[0]), play.rules)
    entries = entries_of(begun, " ".join(map(str, play.moves)))
    assert GRAMMAR.matches("position", format_position(play.last))
    assert GRAMMAR.matches("view", format_view(view_of(play.last)))
    assert GRAMMAR.matches("deal", format_deal(deal))
    assert GRAMMAR.matches("record", format_record(Given(play.positions[0]), play.rules, entries))
    assert all(GRAMMAR.matches("move", format_move(move)) for move in play.moves)


SOUND = {
    "card": "TH",
    "move": "c2f1",
    "rules": "cadogan-1914",
    "deal": "pysol:ms42",
    "position": format_position(won("modern", "pysol:4", 260)),
    "view": format_view(view_of(won("modern", "pysol:4", 260))),
    "record": blocks("record")[0],
}


@given(st.sampled_from(sorted(SOUND)), st.data())
def test_what_does_not_fit_the_grammar_does_not_parse(name: str, data: st.DataObject) -> None:
    text = SOUND[name]
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    changed = (
        text[:start] + data.draw(st.sampled_from(["", " ", "-", "@1", "0", "1", "A", text[start:end] * 2])) + text[end:]
    )
    if not GRAMMAR.matches(name, changed):
        with pytest.raises(NotationError):
            PARSERS[name](changed)


# the examples


@pytest.mark.parametrize(("name", "form"), [("position", format_position), ("view", format_view)])
def test_each_position_and_view_reads_back(name: str, form: Callable[[Any], str]) -> None:
    for text in lines(name):
        assert form(PARSERS[name](text)) == text


def test_the_first_position_is_the_first_deal_and_the_second_is_seen_as_the_view() -> None:
    first, second, third = map(parse_position, lines("position"))
    assert first == Game.begin(Pysol(1), PRESETS["modern"]).position
    assert format_view(view_of(second)) == lines("view")[0]
    assert third.is_won


def test_each_kind_of_move_is_written_as_its_example() -> None:
    for example, kinds in rows("move"):
        move = parse_move(example.strip("`"))
        assert kind_of(parse_position(lines("position")[0]), move) in kinds


def test_the_ranges_of_deals_are_as_told() -> None:
    deals = {deal.strip("`"): told for deal, told in rows("deal")}
    assert f"{NUMBERS[0]} to {NUMBERS[-1]}" in deals["42"]
    assert f"{SEED_BYTES} bytes" in deals["seed:…"]
    assert f"{PYSOL_NUMBERS[0]} to {PYSOL_NUMBERS[-1]}" in deals["pysol:42"]
    assert f"{PYSOL_MS_NUMBERS[0]} to {PYSOL_MS_NUMBERS[-1]}" in deals["pysol:ms42"]


# the deals


def by_document(deal: Numbered | Pysol | Seeded) -> str:
    """The cards in dealing order, by the document's own code."""
    match deal:
        case Numbered(number):
            cards = CODE["numbered"](number)
        case Seeded(seed):
            cards = CODE["seeded"](seed)
        case Pysol(number, ms):
            cards = CODE["pysol"](number, ms)
    return "".join(cards)


@pytest.mark.parametrize("line", lines("deals"))
def test_a_golden_deal_is_dealt_as_told(line: str) -> None:
    text, cards = line.split(" ")
    deal = parse_deal(text)
    assert not isinstance(deal, Given)
    assert by_document(deal) == format_cards(dealt(deal)) == cards


EDGES = [1, 31999, 32000, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1]


@given(dealt_deals | st.builds(Pysol, st.sampled_from(EDGES) | st.integers(1, 2**33 - 1), st.booleans()))
def test_the_code_deals_as_the_engine_does(deal: Numbered | Pysol | Seeded) -> None:
    assert by_document(deal) == format_cards(dealt(deal))


# the log and the record


def test_the_kinds_have_these_codes_and_arguments() -> None:
    table = [(int(code), kind, argument) for code, kind, argument, *_ in rows("code")]
    assert [(code, kind) for code, kind, _ in table] == list(enumerate(Kind, start=1))
    for _, kind, argument in table:
        if kind in MOVE_KINDS:
            assert argument == "a move"
        else:
            counts = COUNTS.get(Kind(kind), range(1))
            told = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else "0"
            assert argument.split(":")[0] == told


def test_the_log_and_the_record_are_of_one_game() -> None:
    record = parse_record(blocks("record")[0])
    log, told = zip(*(line.split("  ") for line in lines("log")), strict=True)
    entries = list(unpack(bytes.fromhex("".join(log))))

    assert [said(entry) for entry, _ in entries] == list(told)
    assert [(entry.kind, entry.seat, entry.move, entry.count) for entry, _ in entries] == [
        (entry.kind, entry.seat, entry.move, entry.count) for entry in record.entries
    ]
    assert replay(Game.begin(record.deal, record.rules), entries).points.total == 195
    assert format_record(*record) == blocks("record")[0]


def said(entry: Entry) -> str:
    command = str(entry.move or f"{entry.kind}:{entry.count}")
    return f"seat {entry.seat} after {entry.time / 10} s: {command}"
