"""Whatever is thrown at a parser, it answers with a value that formats back, or says where the input goes wrong."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from zlib import crc32

import pytest

from service.engine import PRESETS, CorruptLog, Game, NotationError, Pysol, Status
from service.engine.errors import UnplayablePosition
from service.engine.game import replay
from service.engine.log import ENTRY_BYTES, seq_of, unpack
from service.engine.notation import (
    format_card,
    format_deal,
    format_move,
    format_place,
    format_position,
    format_rules,
    format_view,
    parse_card,
    parse_deal,
    parse_move,
    parse_place,
    parse_position,
    parse_rules,
    parse_view,
)
from service.engine.record import format_record, parse_record
from service.engine.view import view_of
from tests.engine.games import entries_of, packed, won

INPUTS = 100_000
RAW = 10
"""One text in so many is made of any characters at all; the others are sound texts after an accident or three."""
ODD = "\0\t\n\r \"',-./:@[]{}0123456789abcdefghstTJQKAWSGCHDx\x7f\u00a0\u0661\uff11\u200b\U0001f0a1\ud800\udfff"

POSITIONS = [won("cadogan", "pysol:13", 47), won("pysol", "pysol:42", 150), won("modern", "pysol:4", 260)]
MODERN = PRESETS["modern"]
BEGUN = Game.begin(Pysol(1), MODERN)
ENTRIES = entries_of(BEGUN, "b1G@3 g2b1 b3g2 a4b3 undo:1 redo:1 hint:3 undo:4 c1G ask consent:1 restart resign")


def edited(chance: Random, text: str) -> str:
    """The text after one to three small accidents."""
    for _ in range(chance.randrange(1, 4)):
        at, other = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        match chance.randrange(6):
            case 0:
                text = text[:at] + text[at + chance.randrange(4) :]
            case 1:
                text = text[:at] + chance.choice(ODD) + text[at:]
            case 2:
                text = text[:at] + chance.choice(ODD) + text[at + 1 :]
            case 3:
                text = text[:other] + text[at : at + 2] + text[other:]
            case 4:
                text = (
                    text[:at] + text[other : other + 2] + text[at + 2 : other] + text[at : at + 2] + text[other + 2 :]
                )
            case _:
                text = text[:at]
    return text


def texts(seeds: list[str], count: int = INPUTS) -> Iterator[str]:
    chance = Random(1)
    for number in range(count):
        if number % RAW:
            yield edited(chance, chance.choice(seeds))
        else:
            yield "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(12)))


@pytest.mark.parametrize(
    ("parse", "form", "seeds"),
    [
        (parse_card, format_card, ["TH", "AC"]),
        (parse_place, format_place, ["a1", "W", "S", "G"]),
        (parse_move, format_move, ["a2b1", "a1G", "Wa4", "S"]),
        (parse_rules, format_rules, list(PRESETS)),
        (parse_deal, format_deal, ["42", "pysol:42", "pysol:ms42", "seed:" + 32 * "a9"]),
        (parse_position, format_position, list(map(format_position, POSITIONS))),
        (parse_view, format_view, [format_view(view_of(position)) for position in POSITIONS]),
    ],
    ids=lambda parameter: getattr(parameter, "__name__", ""),
)
def test_a_text_parses_and_formats_back_or_is_refused_within_it(
    parse: Callable[[str], Any], form: Callable[[Any], str], seeds: list[str]
) -> None:
    refused = []
    for text in texts(seeds):
        try:
            value = parse(text)
        except NotationError as error:
            refused.append(0 <= error.at <= len(text))
        else:
            assert form(value) == text
    assert 0 < len(refused) < INPUTS
    assert all(refused)


def test_a_position_that_parses_can_be_played_or_is_refused() -> None:
    begun = refused = 0
    for text in texts([f"position:{format_position(position)}" for position in POSITIONS], INPUTS // 10):
        try:
            game = Game.begin(parse_deal(text), PRESETS["cadogan"])
        except (NotationError, UnplayablePosition):
            refused += 1
        else:
            begun += 1
            assert (game.status is Status.PLAYING) == bool(game.legal)
    assert begun > 0
    assert refused > 0


def test_a_record_parses_and_formats_back_but_for_its_white_space_or_is_refused() -> None:
    refused = []
    for text in texts([format_record(Pysol(1), MODERN, ENTRIES)]):
        try:
            record = parse_record(text)
        except NotationError as error:
            refused.append(0 <= error.at <= len(text))
        else:
            assert format_record(*record).split() == text.split()
    assert 0 < len(refused) < INPUTS
    assert all(refused)


def damaged(chance: Random, log: bytes) -> bytes:
    """The log after one to three small accidents."""
    changed = bytearray(log)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(4):
            case 0:
                del changed[at : at + chance.randrange(11)]
            case 1:
                changed[at:at] = chance.randbytes(chance.randrange(11))
            case 2:
                changed[at : at + 1] = chance.randbytes(1)
            case _:
                changed[at : at + 10] = changed[:10]
    return bytes(changed)


def sealed(bodies: bytes) -> bytes:
    """A log of these bodies, six bytes each, with sound checksums."""
    log, crc = b"", 0
    for start in range(0, len(bodies), 6):
        crc = crc32(bodies[start : start + 6], crc)
        log += bodies[start : start + 6] + crc.to_bytes(4, "big")
    return log


def logs() -> Iterator[bytes]:
    """Damaged logs: every other one with sound checksums, so that what it says is damaged and not how it is sealed."""
    chance = Random(2)
    sound = packed(ENTRIES)
    bodies = b"".join(sound[start : start + 6] for start in range(0, len(sound), ENTRY_BYTES))
    for _ in range(INPUTS // 2):
        yield damaged(chance, sound)
        yield sealed(damaged(chance, bodies))


def test_a_log_replays_and_packs_back_or_is_refused_at_an_entry() -> None:
    refused = []
    for log in logs():
        try:
            read = list(unpack(log))
            replay(BEGUN, read)
        except CorruptLog as error:
            refused.append(1 <= error.seq <= seq_of(log) + 1)
        else:
            assert packed(entry for entry, _ in read) == log
    assert 0 < len(refused) < INPUTS
    assert all(refused)
