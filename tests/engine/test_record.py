import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import PRESETS, Deal, Game, Given, NotationError, Numbered, Pysol, Rules
from service.engine.log import SEATS
from service.engine.record import Record, format_record, parse_record
from tests.engine.games import Play, dealt_deals, entries_of, plays, preset_rules, won

RECORD = """\
[Game "British Constitution"]
[Rules "modern"]
[Deal "pysol:1"]
[Engine "1"]
[Status "resigned"]
[Points "0"]

1. b1G@3 2. g2b1 3. b3g2 4. a4b3@15 5. undo:1 6. redo:1 7. hint:3 8. undo:4 9. c1G 10. f2c1 11. a3f2
12. a4a3 13. undo:1 14. ask 15. consent:2 16. restart 17. resign
"""
COMMANDS = "b1G@3 g2b1 b3g2 a4b3@15 undo:1 redo:1 hint:3 undo:4 c1G f2c1 a3f2 a4a3 undo:1 ask consent:2 restart resign"


def recorded(deal: Deal, rules: Rules, commands: str) -> Record:
    return Record(deal, rules, tuple(entries_of(Game.begin(deal, rules), commands)))


def test_a_record_has_this_text() -> None:
    record = recorded(Pysol(1), PRESETS["modern"], COMMANDS)
    assert format_record(*record) == RECORD
    assert parse_record(RECORD) == record


def test_a_record_without_commands_ends_with_its_empty_line() -> None:
    record = format_record(Numbered(42), PRESETS["pysol"], [])
    assert record == (
        '[Game "British Constitution"]\n[Rules "pysol"]\n[Deal "42"]\n'
        '[Engine "1"]\n[Status "playing"]\n[Points "0"]\n\n'
    )
    assert parse_record(record) == Record(Numbered(42), PRESETS["pysol"], ())


@given(dealt_deals, preset_rules)
def test_every_deal_can_be_recorded(deal: Deal, rules: Rules) -> None:
    assert parse_record(format_record(deal, rules, [])) == Record(deal, rules, ())


@given(plays(), st.lists(st.sampled_from(SEATS), min_size=100, max_size=100))
def test_every_play_can_be_recorded(play: Play, seats: list[int]) -> None:
    commands = " ".join(f"{move}@{seat}" for move, seat in zip(play.moves, seats, strict=False))
    record = recorded(Given(play.positions[0]), play.rules, commands)
    assert parse_record(format_record(*record)) == record


def test_the_lines_of_a_record_are_at_most_a_hundred_characters_long() -> None:
    assert max(map(len, RECORD.splitlines())) == 100


@pytest.mark.parametrize("space", ["\n", " \n ", "\n\n"])
def test_a_record_may_be_wrapped_anywhere_between_commands(space: str) -> None:
    wrapped = RECORD.replace("\n12. ", f"{space}12. ").replace("G@3 2.", f"G@3{space}2.").rstrip("\n")
    assert parse_record(wrapped) == parse_record(RECORD)


@pytest.mark.parametrize(
    ("right", "wrong", "at", "expected"),
    [
        (RECORD, "", 0, '[Game "British Constitution"] and the end of the line'),
        ("British", "Brutish", 0, '[Game "British Constitution"] and the end of the line'),
        ('n"]\n[Rules', 'n"]\r\n[Rules', 0, '[Game "British Constitution"] and the end of the line'),
        ('[Rules "modern"]\n', "", 30, '[Rules "…"]'),
        ('"modern"', '"Modern"', 38, "one of modern, cadogan, cadogan-1914, pysol"),
        ('modern"]', "modern]", 38, "one of modern, cadogan, cadogan-1914, pysol"),
        ('"pysol:1"', '"pysol:0"', 60, "a number from 1 to 100000000000000000000"),
        ('"pysol:1"', '"seed:1"', 59, "64 hexadecimal digits, a to f small"),
        ('"pysol:1"', '"{}"', 54, "a number, pysol:N, pysol:msN, seed:HEX or position:TEXT"),
        ('[Engine "1"]', '[Engine "2"]', 64, '[Engine "1"], which is what the commands come to'),
        ('"resigned"', '"playing"', 77, '[Status "resigned"], which is what the commands come to'),
        ('[Points "0"]', '[Points "00"]', 97, '[Points "0"], which is what the commands come to'),
        ('"0"]\n\n1.', '"0"]\n1.', 110, "a space or a new line"),
        ("1. b1G@3 2.", "2. b1G@3 2.", 111, "'1. ' and a command"),
        ("1. b1G@3 2.", "1.b1G@3 2.", 111, "'1. ' and a command"),
        ("1. b1G@3 2.", "1. b1G@3\t2.", 119, "a space or a new line"),
        ("1. b1G@3 2.", "1. b1H@3 2.", 116, "a place, a1 to h4, or G"),
        ("1. b1G@3 2.", "1. a1G@3 2.", 114, "a command that is possible here (a1G is not legal: wrong_rank)"),
        ("1. b1G@3 2.", "1. b1G@0 2.", 118, "a number from 1 to 15"),
        ("1. b1G@3 2.", "1. b1G@16 2.", 118, "a number from 1 to 15"),
        ("1. b1G@3 2.", "1. b1G@ 2.", 118, "a number from 1 to 15"),
        ("5. undo:1", "5. undo", 150, "a place, a1 to h4, or W or S"),
        ("5. undo:1", "5. undo:0", 155, "a number from 1 to 4095"),
        ("5. undo:1", "5. undo:5", 150, "a command that is possible here (there is nothing to undo)"),
        ("5. undo:1", "5. undo:4096", 155, "a number from 1 to 4095"),
        ("6. redo:1", "6. redo:2", 160, "a command that is possible here (there is nothing to redo)"),
        ("7. hint:3", "7. hint:4", 175, "a number from 1 to 3"),
        ("17. resign\n", "17. resign 18. ask", 281, "a command that is possible here (the game is resigned)"),
        ("17. resign\n", "17. resign 18.", 277, "'18. ' and a command"),
    ],
)
def test_a_bad_record_is_refused_where_it_goes_wrong(right: str, wrong: str, at: int, expected: str) -> None:
    assert RECORD.count(right) == 1
    with pytest.raises(NotationError) as refused:
        parse_record(RECORD.replace(right, wrong))
    assert (refused.value.at, refused.value.expected) == (at, expected)


def test_a_position_that_the_rules_can_never_show_is_refused_at_its_header() -> None:
    record = format_record(Given(won("cadogan", "pysol:13", 47)), PRESETS["cadogan"], [])
    with pytest.raises(NotationError) as refused:
        parse_record(record.replace("cadogan", "modern"))
    assert (refused.value.at, refused.value.expected) == (
        47,
        "a deal that the rules can play (these rules have no waste, and the position has one)",
    )


@pytest.mark.timeout(5)
@pytest.mark.parametrize("right", ["1. b1G", "undo:1 6", "@3", '"pysol:1"', '[Points "0"]'])
def test_a_number_of_a_hundred_thousand_digits_is_refused_at_once(right: str) -> None:
    assert RECORD.count(right) == 1
    with pytest.raises(NotationError):
        parse_record(RECORD.replace(right, re.sub(r"\d", "9" * 10**5, right)))
