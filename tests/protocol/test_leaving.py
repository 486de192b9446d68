"""A server that stops hears no more, answers what it has heard, and says goodbye."""

import pytest

from service.protocol.close import Close
from service.protocol.connection import Connection
from service.protocol.requests import Admit, CatchUp
from tests.protocol.conversation import feed, greeted, is_open, live, requests_of, sent_by, types_sent_by

PLAY = '{"type":"play","session":"ID","move":"S","at":41}'
BYE = {"type": "bye", "code": "going_away", "retry_ms": 1234}


@pytest.mark.parametrize("connection", [Connection("ID"), Connection(), live(41)])
def test_whoever_asked_nothing_is_told_at_once(connection: Connection) -> None:
    connection.leave(1234)
    assert requests_of(connection) == []

    assert sent_by(connection) == [BYE]
    assert connection.closed_for is Close.GOING_AWAY


def test_what_was_asked_is_answered_first() -> None:
    connection = live(41)
    connection.receive(PLAY)
    connection.receive(PLAY)
    connection.leave(1234)
    for seq in (42, 43):
        assert connection.next_request() is not None
        feed(connection, seq)
        connection.acked("ID", seq - 1, seq, seq)
        assert is_open(connection)
    assert types_sent_by(connection) == ["event", "ack", "event", "ack"]

    assert connection.next_request() is None
    assert sent_by(connection) == [BYE]


def test_whoever_has_just_come_is_let_in_and_sent_on() -> None:
    connection = Connection("ID")
    connection.receive('{"type":"hello","v":1}')
    connection.leave(1234)
    assert connection.next_request() == Admit(None)
    connection.admitted(0)
    assert connection.next_request() == CatchUp("ID", None, None)
    connection.caught_up("ID", 1, 1, [])
    assert connection.next_request() is None

    assert types_sent_by(connection) == ["welcome", "bye"]


def test_nothing_more_is_heard_or_asked() -> None:
    connection = live(41)
    connection.receive(PLAY)
    connection.leave(1234)
    connection.receive(PLAY)
    connection.receive("no message")
    connection.receive('{"type":"ping"}')
    feed(connection, 43)
    connection.lost("ID")
    connection.strayed("ID", 40, None)

    assert len(requests_of(connection)) == 1
    assert types_sent_by(connection) == ["stale", "bye"]


def test_another_end_that_comes_first_has_the_same_time_to_come_back() -> None:
    connection = greeted()
    connection.receive(PLAY)
    connection.leave(1234)
    connection.close(Close.UNAVAILABLE)

    assert requests_of(connection) == []
    assert sent_by(connection) == [{"type": "bye", "code": "unavailable", "retry_ms": 1234}]


def test_whoever_has_gone_is_not_told_again() -> None:
    connection = live(41)
    connection.close(Close.UNAVAILABLE)
    connection.leave(1234)
    requests_of(connection)

    assert sent_by(connection) == [{"type": "bye", "code": "unavailable", "retry_ms": 1000}]
    assert connection.closed_for is Close.UNAVAILABLE
