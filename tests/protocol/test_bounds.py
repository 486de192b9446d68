"""How much a socket may leave unread or unanswered, and how it ends."""

import pytest

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import OUTBOX_LIMIT, REQUEST_LIMIT
from tests.protocol.conversation import feed, greeted, is_open, live, requests_of, sent_by, seqs_sent_by, types_sent_by
from tests.protocol.wire import event

PLAY = '{"type":"play","session":"ID","move":"S","at":41}'
PING = '{"type":"ping"}'


def test_a_reader_that_is_too_slow_is_closed_and_told_nothing_else() -> None:
    connection = live(0)
    feed(connection, *range(1, OUTBOX_LIMIT + 1))
    assert is_open(connection)

    feed(connection, OUTBOX_LIMIT + 1)
    assert sent_by(connection) == [{"type": "bye", "code": "too_slow", "retry_ms": 1000}]
    assert connection.closed_for is Close.TOO_SLOW


def test_a_reader_that_reads_may_be_sent_any_number_of_entries() -> None:
    connection = live(0)
    for seq in range(1, 2 * OUTBOX_LIMIT):
        feed(connection, seq)
        assert seqs_sent_by(connection) == [seq]

    assert is_open(connection)


def test_more_entries_than_can_be_held_end_it() -> None:
    connection = greeted()
    feed(connection, *range(1, OUTBOX_LIMIT + 1))
    assert is_open(connection)

    feed(connection, OUTBOX_LIMIT + 1)
    assert sent_by(connection) == [{"type": "bye", "code": "too_slow", "retry_ms": 1000}]
    assert connection.closed_for is Close.TOO_SLOW


def test_a_client_that_sends_commands_faster_than_they_are_carried_out_is_closed() -> None:
    connection = live(41)
    for _ in range(REQUEST_LIMIT):
        connection.receive(PLAY)
    assert is_open(connection)

    connection.receive(PLAY)
    assert sent_by(connection) == [{"type": "bye", "code": "too_fast", "retry_ms": 1000}]
    assert connection.closed_for is Close.TOO_FAST
    assert requests_of(connection) == []


@pytest.mark.parametrize("frame", [PING, "no message"])
def test_a_client_that_does_not_read_its_answers_is_closed(frame: str) -> None:
    connection = live(41)
    for _ in range(OUTBOX_LIMIT):
        connection.receive(frame)
    assert is_open(connection)

    connection.receive(frame)
    assert sent_by(connection)[-1] == {"type": "bye", "code": "too_fast", "retry_ms": 1000}
    assert connection.closed_for is Close.TOO_FAST


# The end.


def test_what_is_due_is_sent_before_the_bye() -> None:
    connection = live(41)
    feed(connection, 42)
    connection.close(Close.GOING_AWAY)

    assert types_sent_by(connection) == ["event", "bye"]


def test_nothing_is_sent_or_asked_after_the_bye() -> None:
    connection = live(41)
    connection.receive(PLAY)
    connection.close(Close.GOING_AWAY)
    sent_by(connection)

    connection.receive(PING)
    connection.receive(PLAY)
    feed(connection, 42, 44)
    connection.lost("ID")
    connection.admitted(0)
    connection.acked("ID", 41, 42, 42)
    connection.refused(messages.Refused("session_over", "It is over."))
    connection.stale(messages.Stale("ID", 40, []))
    connection.strayed("ID", 40, None)
    connection.caught_up("ID", 42, 42, [event(42)])
    connection.close(Close.NO_HELLO)

    assert sent_by(connection) == []
    assert requests_of(connection) == []
    assert connection.closed_for is Close.GOING_AWAY


@pytest.mark.parametrize("code", Close)
def test_the_bye_says_why_and_whether_to_come_back(code: Close) -> None:
    connection = live(41)
    connection.close(code)

    assert sent_by(connection) == [
        {"type": "bye", "code": code.name.lower(), "retry_ms": 1000 if code.value < 4500 else None}
    ]
