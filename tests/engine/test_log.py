from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine import CorruptLog, Kind
from service.engine.log import (
    COUNTS,
    EMPTY_CRC,
    ENTRY_BYTES,
    MAX_COUNT,
    MAX_TIME,
    MOVE_KINDS,
    SEATS,
    TICKS_PER_SECOND,
    Entry,
    crc_of,
    pack,
    seq_of,
    unpack,
)
from service.engine.moves import ALL_MOVES
from service.engine.notation import parse_move
from tests.engine.games import packed

ENTRIES = (
    Entry(Kind.PROMOTE, seat=0, time=12, move=parse_move("b1G")),
    Entry(Kind.FILL, seat=2, time=40, move=parse_move("g2b1")),
    Entry(Kind.UNDO, seat=2, time=80, count=2),
    Entry(Kind.HINT, seat=0, time=100, count=3),
)
BY_HAND = bytes.fromhex(
    "1062 0000000c 5850cb3e"  # kind 1, from place 1 to place 34; seat 0 after 1.2 s
    "4381 20000028 2818883a"  # kind 4, from place 14 to place 1; seat 2 after 4 s
    "7002 20000050 8cfdb678"  # kind 7, two steps
    "b003 00000064 42a233c1"  # kind 11, level 3
)


def entries() -> st.SearchStrategy[Entry]:
    seats, times = st.sampled_from(SEATS), st.integers(0, MAX_TIME)
    moves = st.builds(Entry, st.sampled_from(sorted(MOVE_KINDS)), seats, times, st.sampled_from(ALL_MOVES), st.just(0))
    others = st.sampled_from([kind for kind in Kind if kind not in MOVE_KINDS]).flatmap(
        lambda kind: st.builds(
            Entry, st.just(kind), seats, times, st.none(), st.sampled_from(COUNTS.get(kind, range(1)))
        )
    )
    return moves | others


def sealed(body: str) -> bytes:
    """Six bytes with the checksum of a first entry."""
    return bytes.fromhex(body) + crc32(bytes.fromhex(body)).to_bytes(4, "big")


def test_a_log_is_these_bytes() -> None:
    assert packed(ENTRIES).hex(" ", 10) == BY_HAND.hex(" ", 10)
    assert tuple(entry for entry, _ in unpack(BY_HAND)) == ENTRIES
    assert (seq_of(BY_HAND), f"{crc_of(BY_HAND):08x}") == (4, "42a233c1")


def test_a_log_without_entries_has_checksum_nought() -> None:
    assert (list(unpack(b"")), seq_of(b""), crc_of(b""), EMPTY_CRC) == ([], 0, 0, 0)


def test_the_kinds_are_numbered_from_one_in_this_order() -> None:
    assert " ".join(Kind) == ("promote build lateral fill turn people undo redo restart resign hint ask consent")
    assert [pack(entry, 0)[0] >> 4 for entry in map(Entry, Kind) if entry.kind not in MOVE_KINDS] == [*range(7, 14)]


def test_time_is_counted_in_tenths_of_a_second_for_310_days() -> None:
    assert MAX_TIME // (TICKS_PER_SECOND * 60 * 60 * 24) == 310


@given(st.lists(entries(), max_size=20))
def test_every_log_reads_back(log: list[Entry]) -> None:
    written = packed(log)
    read = list(unpack(written))

    assert len(written) == len(log) * ENTRY_BYTES
    assert [entry for entry, _ in read] == log
    assert [crc for _, crc in read] == [crc_of(written[: n * ENTRY_BYTES]) for n in range(1, len(log) + 1)]


@given(st.lists(entries(), min_size=1, max_size=20), st.data())
def test_a_tail_reads_on_from_its_place_in_history(log: list[Entry], data: st.DataObject) -> None:
    seq = data.draw(st.integers(0, len(log)))
    head, tail = packed(log)[: seq * ENTRY_BYTES], packed(log)[seq * ENTRY_BYTES :]
    assert [entry for entry, _ in unpack(tail, seq, crc_of(head))] == log[seq:]


@given(st.integers(0, len(BY_HAND) * 8 - 1))
def test_a_flipped_bit_is_found_at_its_entry(bit: int) -> None:
    log = bytearray(BY_HAND)
    log[bit // 8] ^= 1 << bit % 8
    read = unpack(bytes(log))
    first_bad = bit // 80 + 1

    assert [next(read)[0] for _ in range(first_bad - 1)] == list(ENTRIES[: first_bad - 1])
    with pytest.raises(CorruptLog) as corrupt:
        next(read)
    assert (corrupt.value.seq, corrupt.value.why) == (first_bad, "its checksum does not match")


@pytest.mark.parametrize("length", range(1, 10))
def test_a_log_that_ends_within_an_entry_is_found(length: int) -> None:
    with pytest.raises(CorruptLog, match=rf"^entry 3 is corrupt: the log ends after {length} of its 10 bytes$"):
        list(unpack(BY_HAND[: 20 + length]))


def test_a_tail_that_does_not_follow_its_head_is_found() -> None:
    with pytest.raises(CorruptLog, match=r"^entry 8 is corrupt: its checksum does not match$"):
        list(unpack(BY_HAND[20:], seq=7, crc=0x12345678))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("0000 00000000", "there is no kind 0"),
        ("e000 00000000", "there is no kind 14"),
        ("f000 00000000", "there is no kind 15"),
        ("1840 00000000", "0x840 is no move"),
        ("10e1 00000000", "0x0e1 is no move"),
        ("1fff 00000000", "0xfff is no move"),
        ("7000 00000000", "undo takes no count of 0"),
        ("8000 00000000", "redo takes no count of 0"),
        ("9001 00000000", "restart takes no count of 1"),
        ("a001 00000000", "resign takes no count of 1"),
        ("b000 00000000", "hint takes no count of 0"),
        ("b004 00000000", "hint takes no count of 4"),
        ("c001 00000000", "ask takes no count of 1"),
        ("d000 00000000", "consent takes no count of 0"),
    ],
)
def test_an_entry_that_means_nothing_is_found(body: str, why: str) -> None:
    with pytest.raises(CorruptLog) as corrupt:
        list(unpack(sealed(body)))
    assert (corrupt.value.seq, corrupt.value.why) == (1, why)


def test_the_largest_values_fit() -> None:
    log = packed([Entry(Kind.CONSENT, seat=15, time=MAX_TIME, count=MAX_COUNT)])
    assert log.hex()[:12] == "dfffffffffff"
    assert [entry for entry, _ in unpack(log)] == [Entry(Kind.CONSENT, seat=15, time=MAX_TIME, count=MAX_COUNT)]
