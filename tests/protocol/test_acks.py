"""No ack overtakes its event, and none is lost with its session."""

import pytest

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import Connection
from service.protocol.requests import CatchUp
from tests.protocol.conversation import feed, live, requests_of, types_sent_by

UNSUB = '{"type":"unsub","topic":"session:ID"}'
SUB = '{"type":"sub","topic":"session:ID","seq":41}'


def behind() -> Connection:
    """A connection that has to be caught up from entry 41, and that is owed the ack of entry 42."""
    connection = live(41)
    connection.lost("ID")
    feed(connection, 42)
    connection.acked("ID", 41, 42, 42)
    assert types_sent_by(connection) == []
    return connection


def test_an_ack_waits_for_its_event_while_the_session_is_read_again() -> None:
    connection = behind()
    assert requests_of(connection) == [CatchUp("ID", 41, 41)]
    connection.caught_up("ID", 41, 41, [])

    assert types_sent_by(connection) == ["event", "ack"]


def test_the_ack_of_an_entry_that_was_told_before_does_not_wait() -> None:
    connection = live(41)
    connection.lost("ID")
    connection.acked("ID", 40, 41, 41)

    assert types_sent_by(connection) == ["ack"]


def test_the_ack_on_a_session_that_is_not_watched_does_not_wait() -> None:
    connection = live(41)
    connection.receive(UNSUB)
    connection.acked("ID", 41, 42, 42)

    assert types_sent_by(connection) == ["ack"]


def test_whoever_leaves_the_session_still_has_the_ack() -> None:
    connection = behind()
    connection.receive(UNSUB)

    assert types_sent_by(connection) == ["ack"]


def test_whoever_subscribes_anew_still_has_the_ack() -> None:
    connection = behind()
    connection.receive(SUB)

    assert types_sent_by(connection) == ["ack"]


def test_a_session_that_ends_pays_what_it_owes_first() -> None:
    connection = behind()
    connection.ended("ID", "no_such_session", "There is none.")

    assert types_sent_by(connection) == ["ack", "refused"]


@pytest.mark.parametrize("code", [Close.UNAVAILABLE, Close.FAILED])
def test_a_socket_that_is_closed_pays_what_it_owes_first(code: Close) -> None:
    connection = behind()
    connection.close(code)

    assert types_sent_by(connection) == ["ack", "bye"]


def test_a_server_that_leaves_reads_nothing_again_and_so_holds_nothing() -> None:
    connection = live(41)
    connection.receive('{"type":"play","session":"ID","move":"S","at":41}')
    connection.leave(1234)
    connection.lost("ID")
    assert connection.next_request() is not None
    feed(connection, 42)
    connection.acked("ID", 41, 42, 42)
    assert connection.next_request() is None

    assert types_sent_by(connection) == ["event", "ack", "bye"]


def test_an_ack_waits_too_where_another_entry_was_told_in_its_place() -> None:
    connection = live(41)
    connection.lost("ID")
    connection.acked("ID", 40, 41, 99)

    assert types_sent_by(connection) == []


def test_a_stale_answer_waits_while_the_session_is_read_again() -> None:
    connection = live(41)
    connection.lost("ID")
    connection.stale(messages.Stale("ID", 40, []))
    assert types_sent_by(connection) == []
    connection.caught_up("ID", 41, 41, [])

    assert types_sent_by(connection) == ["stale"]


def test_answers_come_in_the_order_of_the_commands_also_where_the_first_has_to_wait() -> None:
    connection = live(41)
    connection.lost("ID")
    feed(connection, 42)
    connection.acked("ID", 41, 42, 42)
    connection.refused(messages.Refused("illegal_move", "no", session="ID", at=42))
    assert types_sent_by(connection) == []
    connection.caught_up("ID", 41, 41, [])

    assert types_sent_by(connection) == ["event", "ack", "refused"]
