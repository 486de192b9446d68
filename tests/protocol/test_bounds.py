"""How much a socket may leave unread or unanswered, and how it ends."""

import pytest

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import HELD_LIMIT, OUTBOX_LIMIT, REQUEST_LIMIT
from service.protocol.requests import CatchUp
from tests.protocol.conversation import (
    caught_up,
    feed,
    greeted,
    live,
    requests_of,
    sent_by,
    seqs_sent_by,
    types_sent_by,
)
from tests.protocol.wire import event

PLAY = '{"type":"play","session":"ID","move":"S","at":41}'
PING = '{"type":"ping"}'


def test_a_reader_that_reads_may_be_sent_any_number_of_entries() -> None:
    connection = live(0)
    for seq in range(1, 2 * HELD_LIMIT):
        feed(connection, seq)
        assert seqs_sent_by(connection) == [seq]


def test_what_a_client_does_not_read_is_dropped_and_it_is_caught_up_when_it_reads_again() -> None:
    connection = live(41)
    connection.stall()
    feed(connection, 42, 43)
    assert (sent_by(connection), requests_of(connection)) == ([], [])

    connection.resume()
    assert requests_of(connection) == [CatchUp("ID", 41, 41)]
    caught_up(connection, 43)
    feed(connection, 44)
    assert types_sent_by(connection) == ["subbed", "event"]


def test_a_client_that_has_missed_nothing_meanwhile_is_not_caught_up() -> None:
    connection = live(41)
    connection.stall()
    connection.resume()
    assert requests_of(connection) == []
    feed(connection, 42)

    assert seqs_sent_by(connection) == [42]


def test_nothing_is_carried_out_for_a_client_that_does_not_read() -> None:
    connection = live(41)
    connection.receive(PLAY)
    connection.stall()
    assert connection.next_request() is None

    connection.resume()
    assert len(requests_of(connection)) == 1


def test_an_ack_whose_event_was_dropped_follows_it() -> None:
    connection = live(41)
    connection.stall()
    feed(connection, 42)
    connection.acked("ID", 41, 42, 42)
    connection.resume()
    assert (requests_of(connection), sent_by(connection)) == ([CatchUp("ID", 41, 41)], [])

    connection.caught_up("ID", 42, 42, [event(42)])
    assert types_sent_by(connection) == ["event", "ack"]


def test_a_client_that_stalls_while_it_is_caught_up_is_caught_up_again() -> None:
    connection = greeted()
    feed(connection, 42)
    connection.stall()
    caught_up(connection, 41)
    connection.acked("ID", 41, 42, 42)
    connection.resume()

    assert requests_of(connection) == [CatchUp("ID", 41, 41)]
    assert types_sent_by(connection) == ["subbed"]
    connection.caught_up("ID", 42, 42, [event(42)])
    assert types_sent_by(connection) == ["event", "ack"]


def test_with_more_entries_than_can_be_held_a_client_is_caught_up_again() -> None:
    connection = greeted()
    feed(connection, *range(1, HELD_LIMIT + 2))
    connection.caught_up("ID", 0, 0, [])

    assert seqs_sent_by(connection) == [*range(1, HELD_LIMIT + 1)]
    assert requests_of(connection) == [CatchUp("ID", HELD_LIMIT, HELD_LIMIT)]


def test_the_bye_is_sent_also_to_a_client_that_does_not_read() -> None:
    connection = live(41)
    connection.stall()
    connection.close(Close.NO_HELLO)

    assert types_sent_by(connection) == ["bye"]


def test_no_more_should_be_heard_while_much_waits_or_nothing_is_read() -> None:
    connection = live(41)
    fullness = []
    for _ in range(REQUEST_LIMIT):
        fullness.append(connection.is_full)
        connection.receive(PLAY)
    fullness.append(connection.is_full)
    connection.next_request()
    fullness.append(connection.is_full)
    connection.stall()

    assert fullness == [False] * REQUEST_LIMIT + [True, False]
    assert connection.is_full


def test_no_more_should_be_heard_while_many_answers_wait() -> None:
    connection = live(41)
    for _ in range(OUTBOX_LIMIT):
        connection.receive(PING)
    was_full = connection.is_full
    sent_by(connection)

    assert (was_full, connection.is_full) == (True, False)


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
