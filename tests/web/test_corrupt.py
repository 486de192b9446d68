"""Sessions whose log no play can have written: they are refused whole, and never half-played."""

from collections.abc import Callable

import pytest

from service.engine.log import Entry, crc_of, pack
from service.engine.moves import Kind
from service.engine.notation import parse_move
from service.store.redis import keys
from tests.web.playing import GROUP, Guest, Json, done, place, refused
from tests.web.running import Running


def follow(log: bytes, entry: Entry) -> bytes:
    """The log with an entry that no play has added, and the checksum that belongs to it."""
    return log + pack(entry, crc_of(log))


def late(log: bytes) -> bytes:
    """The log with a legal move whose time is at the end of time, and one before it."""
    log = follow(log, Entry(Kind.PROMOTE, time=2**28 - 1, move=parse_move("c1G")))
    return follow(log, Entry(Kind.FILL, move=parse_move("a2c1")))


def set_meta(service: Running, session: Json, field: str, value: str) -> None:
    service.redis.hset(keys.session_meta(session["id"]), field, value)


def check_refused(guest: Guest, session: Json, seq: int, why: str) -> None:
    """Asserts that every route refuses the session, naming it and its first bad entry."""
    path = f"/v1/sessions/{session['id']}"
    for answer in (
        guest.get(path),
        guest.get(f"{path}/record"),
        guest.get(f"{path}/history"),
        guest.get(f"{path}/events?after=0&wait=30"),
        guest.move({**session, "seq": 999}, "c1G"),
        guest.command({**session, "seq": 999}, "undo"),
    ):
        problem = refused(answer, 409, "corrupt_session")
        assert problem["detail"] == f"The log of session {session['id']} cannot be read: entry {seq}: {why}."


@pytest.mark.parametrize(
    ("spoil", "seq", "why"),
    [
        (lambda log: log[:-1], 4, "the log ends after 9 of its 10 bytes"),
        (lambda log: log[:31], 4, "the log ends after 1 of its 10 bytes"),
        (lambda log: log[:5], 1, "the log ends after 5 of its 10 bytes"),
        (lambda log: log + b"\0", 5, "the log ends after 1 of its 10 bytes"),
        (lambda log: log + bytes(10), 5, "its checksum does not match"),
        (lambda log: log[10:], 1, "its checksum does not match"),
        (lambda log: log[:10] + log[20:], 2, "its checksum does not match"),
        (lambda log: log + log, 5, "its checksum does not match"),
        (
            lambda log: follow(log, Entry(Kind.LATERAL, time=10**6, move=parse_move("a1b1"))),
            5,
            "a1b1 is not legal: wrong_rank",
        ),
        (
            lambda log: follow(log, Entry(Kind.BUILD, time=10**6, move=parse_move("c1G"))),
            5,
            "c1G is a promote here, not a build",
        ),
        (lambda log: follow(log, Entry(Kind.REDO, time=10**6, count=1)), 5, "there is nothing to redo"),
        (lambda log: follow(log, Entry(Kind.UNDO, time=10**6, count=5)), 5, "there is nothing to undo"),
        (lambda log: follow(log, Entry(Kind.UNDO, time=10**6)), 5, "undo takes no count of 0"),
        (
            lambda log: follow(follow(log, Entry(Kind.RESIGN, time=10**6)), Entry(Kind.ASK, time=10**6)),
            6,
            "the game is resigned",
        ),
        (late, 6, "its time is before the last entry's"),
    ],
)
def test_a_log_that_no_play_can_have_written_is_refused_with_its_first_bad_entry(
    spoil: Callable[[bytes], bytes], seq: int, why: str, guest: Guest, service: Running
) -> None:
    session = guest.play(guest.deal(), *GROUP)
    spoiled = spoil(service.log(session["id"]))
    service.set_log(session["id"], spoiled)

    check_refused(guest, session, seq, why)
    assert service.log(session["id"]) == spoiled


def test_a_byte_that_flips_anywhere_in_a_log_is_found(guest: Guest, service: Running) -> None:
    session = guest.play(guest.deal(), *GROUP)
    log = service.log(session["id"])
    assert len(log) == 40
    for at in range(len(log)):
        service.set_log(session["id"], log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :])
        problem = refused(guest.get(f"/v1/sessions/{session['id']}"), 409, "corrupt_session")
        assert problem["detail"].endswith(f" entry {at // 10 + 1}: its checksum does not match.")

    service.set_log(session["id"], log)
    assert guest.see(session) == session


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("engine", "2", "engine 2 wrote it, and this is engine 1"),
        (
            "rules",
            "bridge",
            "not a rule set: at 0, 'bridge', there should be one of modern, cadogan, cadogan-1914, pysol",
        ),
        ("deal", "pysol:0", "not a deal: at 6, '0', there should be a number from 1 to 100000000000000000000"),
        ("created", "9" * 20, "its meta is damaged: ValueError('99999999999999999999 is no time')"),
        (
            "created",
            "yesterday",
            "its meta is damaged: ValueError(\"invalid literal for int() with base 10: 'yesterday'\")",
        ),
    ],
)
def test_a_session_that_cannot_have_begun_is_refused(
    field: str, value: str, why: str, guest: Guest, service: Running
) -> None:
    session = guest.play(guest.deal(), "b1G")
    set_meta(service, session, field, value)

    check_refused(guest, session, 0, why)


def test_a_session_whose_deal_was_exchanged_is_not_played_from_memory(guest: Guest, service: Running) -> None:
    session = guest.deal()
    set_meta(service, session, "deal", "pysol:2")

    assert guest.see(session)["rows"] == guest.deal("pysol:2")["rows"] != session["rows"]


def test_a_log_that_lost_its_last_entries_is_a_shorter_history_of_which_everybody_is_told(
    guest: Guest, service: Running
) -> None:
    before = guest.play(guest.deal(), "b1G")
    lost = guest.play(before, "a2b1", "a3a2")
    service.set_log(lost["id"], service.log(lost["id"])[:10])

    problem = refused(guest.move(lost, "a4a3"), 409, "stale")
    assert problem["session"] == before == guest.see(lost)
    assert "missed" not in problem
    reset = done(guest.get(f"/v1/sessions/{lost['id']}/events?after=3&crc={lost['crc']}&wait=30"))
    assert reset == {"reset": before}
    assert place(guest.play(before, "a2b1"))["at"] == 2


def test_one_bad_session_does_not_hide_the_others_of_a_list(guest: Guest, service: Running) -> None:
    bad, good = guest.play(guest.deal(), "b1G"), guest.deal()
    service.set_log(bad["id"], b"nonsense")

    assert [one["id"] for one in done(guest.get("/v1/sessions"))["sessions"]] == [good["id"], bad["id"]]


def test_a_session_without_all_of_its_meta_is_refused_and_left_out_of_lists(guest: Guest, service: Running) -> None:
    bad, good = guest.play(guest.deal(), "b1G"), guest.deal()
    service.redis.hdel(keys.session_meta(bad["id"]), "status")

    check_refused(guest, bad, 0, "its meta is damaged: KeyError('status')")
    assert [one["id"] for one in done(guest.get("/v1/sessions"))["sessions"]] == [good["id"]]


def test_a_session_that_is_stored_as_closed_in_the_middle_of_its_game_is_refused(
    guest: Guest, service: Running
) -> None:
    session = guest.play(guest.deal(), "b1G")
    set_meta(service, session, "open", "0")

    problem = refused(guest.move(session, "a2b1"), 409, "corrupt_session")
    assert problem["detail"].endswith("entry 1: it is stored as closed, and its log is not at an end.")
    assert service.log(session["id"])[10:] == b""
