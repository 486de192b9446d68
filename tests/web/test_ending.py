"""Games that end, and one that does not."""

import pytest

from service.engine.log import Entry, pack
from service.engine.moves import Kind
from service.engine.notation import parse_move
from service.usecases.commands import MAX_ENTRIES
from tests.web.playing import ONE_LEFT, TO_AND_FRO, Guest, done, refused
from tests.web.running import Running


def test_who_resigns_ends_the_game_and_is_told_the_secret(guest: Guest) -> None:
    session = guest.play(guest.deal("secret"), *[])
    over = done(guest.command(session, "resign"))

    assert (over["status"], over["legal"], over["can_undo"], over["secret"]) == ("resigned", [], False, False)
    assert over["deal"].startswith("seed:")
    assert guest.deal(over["deal"])["rows"] == session["rows"]


@pytest.mark.parametrize("command", ["moves", "undo", "redo", "restart", "resign"])
def test_a_game_that_is_over_takes_no_command(command: str, guest: Guest) -> None:
    over = done(guest.command(guest.play(guest.deal(), "b1G"), "resign"))
    body = {"move": "a2b1"} if command == "moves" else {}

    problem = refused(guest.command(over, command, **body), 409, "session_over")

    assert problem["detail"] == "The session is over: resigned."
    assert guest.see(over) == over


def test_a_resignation_that_is_sent_again_is_answered_in_the_same_bytes(guest: Guest) -> None:
    session = guest.deal(ONE_LEFT)
    first = guest.command(session, "resign")

    assert done(first)["status"] == "resigned"
    assert guest.command(session, "resign").content == first.content


def test_a_stuck_game_goes_on_since_it_can_be_taken_back(guest: Guest) -> None:
    stuck = guest.deal(TO_AND_FRO)
    assert (stuck["status"], [move["move"] for move in stuck["legal"]]) == ("stuck", ["c1e1"])

    assert done(guest.command(guest.play(stuck, "c1e1"), "undo"))["status"] == "stuck"


def test_a_log_takes_5000_entries_and_then_only_a_resignation(guest: Guest, service: Running) -> None:
    session = guest.deal(TO_AND_FRO)
    log, crc = [], 0
    for number in range(MAX_ENTRIES - 1):
        packed = pack(Entry(Kind.LATERAL, move=parse_move("e1c1" if number % 2 else "c1e1")), crc)
        log.append(packed)
        crc = int.from_bytes(packed[-4:], "big")
    service.set_log(session["id"], b"".join(log))

    last = guest.play(guest.see(session), "e1c1")
    assert last["seq"] == 5_000
    problem = refused(guest.move(last, "c1e1"), 409, "log_full")
    assert problem["detail"] == "The session has had its 5000 entries."
    assert guest.see(session) == last
    assert done(guest.command(last, "resign"))["status"] == "resigned"
