"""One socket, any sessions."""

import json

import pytest

from service.protocol import messages
from service.protocol.connection import REQUEST_LIMIT, TOPIC_LIMIT, Connection
from service.protocol.requests import Admit, CatchUp, Unwatch
from tests.protocol.conversation import feed, is_open, live, requests_of, sent_by, seqs_sent_by
from tests.protocol.wire import SESSION

SUB_A = '{"type":"sub","topic":"session:A"}'
UNSUB_A = '{"type":"unsub","topic":"session:A"}'
UNSUBBED_A = {"type": "unsubbed", "topic": "session:A"}


def admitted() -> Connection:
    """A connection for any sessions, with none yet."""
    connection = Connection()
    connection.receive('{"type":"hello","v":1,"seq":3}')
    assert requests_of(connection) == [Admit(None)]
    connection.admitted(0)
    sent_by(connection)
    return connection


def subscribed(**sessions: int) -> Connection:
    """A connection that is up to date with an entry of each of these sessions."""
    connection = admitted()
    for session, seq in sessions.items():
        connection.receive(json.dumps({"type": "sub", "topic": f"session:{session}"}))
        connection.caught_up(session, seq, seq, [])
    requests_of(connection)
    return connection


def test_each_sub_asks_for_its_session_from_its_place() -> None:
    connection = admitted()
    connection.receive(SUB_A)
    connection.receive('{"type":"sub","topic":"session:B","seq":17,"crc":"9a0b12ff"}')

    assert requests_of(connection) == [CatchUp("A", None, None), CatchUp("B", 17, 0x9A0B12FF)]
    assert sent_by(connection) == []


def test_each_session_has_its_own_order() -> None:
    connection = subscribed(A=1, B=7)
    feed(connection, 2, 3, session="A")
    feed(connection, 7, 8, session="B")
    feed(connection, 3, 4, session="A")
    feed(connection, 5, session="C")

    assert seqs_sent_by(connection) == [2, 3, 8, 4]


def test_a_gap_in_one_session_asks_for_that_one_and_holds_up_no_other() -> None:
    connection = subscribed(A=1, B=7)
    feed(connection, 3, session="A")
    feed(connection, 8, session="B")

    assert seqs_sent_by(connection) == [8]
    assert requests_of(connection) == [CatchUp("A", 1, 1)]


def test_commands_go_to_the_session_they_name_subscribed_to_or_not() -> None:
    connection = subscribed(A=1)
    connection.receive('{"type":"play","session":"A","move":"S","at":1}')
    connection.receive('{"type":"undo","session":"B","at":2}')

    assert requests_of(connection) == [
        messages.Play("A", "S", 1),
        messages.Undo("B", 2),
    ]


def test_a_command_from_another_history_asks_for_the_session_only_where_it_is_watched() -> None:
    connection = subscribed(A=1)
    connection.strayed("A", 1, 0xBAD)
    connection.strayed("B", 1, 0xBAD)

    assert [(stale["session"], stale["missed"]) for stale in sent_by(connection)] == [("A", []), ("B", [])]
    assert requests_of(connection) == [CatchUp("A", 1, 0xBAD)]


# Leaving a session.


def test_after_an_unsub_nothing_is_told_and_the_rest_goes_on() -> None:
    connection = subscribed(A=1, B=7)
    connection.receive(UNSUB_A)
    feed(connection, 2, session="A")
    connection.lost("A")
    feed(connection, 8, session="B")
    assert seqs_sent_by(connection) == [8]
    assert requests_of(connection) == [Unwatch("A")]

    connection.left("A")
    assert sent_by(connection) == [UNSUBBED_A]


def test_an_unsub_of_what_is_not_watched_is_answered_too() -> None:
    connection = admitted()
    connection.receive(UNSUB_A)

    assert requests_of(connection) == [Unwatch("A")]


def test_a_session_that_is_left_before_it_was_caught_up_with_is_not_told() -> None:
    connection = admitted()
    connection.receive(SUB_A)
    connection.receive(UNSUB_A)
    connection.caught_up("A", 1, 1, [messages.Snapshot("session:A", SESSION)])
    connection.left("A")

    assert sent_by(connection) == [UNSUBBED_A]


def test_a_session_that_was_left_can_be_had_again() -> None:
    connection = subscribed(A=1)
    connection.receive(UNSUB_A)
    connection.receive(SUB_A)
    feed(connection, 2, session="A")
    connection.left("A")
    assert requests_of(connection) == [Unwatch("A"), CatchUp("A", None, None)]

    connection.caught_up("A", 1, 1, [])
    unsubbed, told = sent_by(connection)
    assert (unsubbed, told["seq"]) == (UNSUBBED_A, 2)


def test_a_socket_of_one_session_may_leave_it_and_have_it_again() -> None:
    connection = live(41)
    connection.receive('{"type":"unsub","topic":"session:ID"}')
    connection.receive('{"type":"sub","topic":"session:ID"}')

    assert requests_of(connection) == [Unwatch("ID"), CatchUp("ID", None, None)]


@pytest.mark.parametrize("is_watched", [True, False])
def test_a_session_that_cannot_be_watched_costs_its_subscription_alone(is_watched: bool) -> None:
    connection = subscribed(A=1, B=7) if is_watched else subscribed(B=7)
    connection.ended("A", "no_such_session", "There is none.")
    feed(connection, 2, session="A")
    feed(connection, 8, session="B")

    refused, told = sent_by(connection)
    assert refused == {"type": "refused", "code": "no_such_session", "detail": "There is none.", "session": "A"}
    assert told["seq"] == 8
    assert is_open(connection)


# How many.


def test_more_sessions_than_a_socket_carries_are_refused() -> None:
    connection = subscribed(**{f"S{number}": 1 for number in range(TOPIC_LIMIT - 1)})
    connection.receive(SUB_A)
    connection.receive(SUB_A)
    connection.receive('{"type":"sub","topic":"session:B"}')
    assert sent_by(connection) == [
        {
            "type": "refused",
            "code": "too_many_topics",
            "detail": "A socket carries 64 sessions and boards at most.",
            "session": "B",
        }
    ]
    assert requests_of(connection) == 2 * [CatchUp("A", None, None)]

    connection.receive(UNSUB_A)
    connection.receive('{"type":"sub","topic":"session:B"}')
    assert requests_of(connection) == [Unwatch("A"), CatchUp("B", None, None)]


def test_as_many_as_a_socket_carries_may_be_asked_for_with_the_hello() -> None:
    connection = Connection()
    connection.receive('{"type":"hello","v":1}')
    for number in range(TOPIC_LIMIT):
        connection.receive(json.dumps({"type": "sub", "topic": f"session:{number}"}))

    assert is_open(connection)
    assert len(requests_of(connection)) == TOPIC_LIMIT + 1 <= REQUEST_LIMIT


def test_a_topic_is_no_longer_than_an_id_may_be() -> None:
    connection = admitted()
    for length in (64, 65):
        connection.receive(json.dumps({"type": "sub", "topic": "session:" + length * "a"}))

    assert requests_of(connection) == [CatchUp(64 * "a", None, None)]
    assert [refused["code"] for refused in sent_by(connection)] == ["bad_request"]


def test_who_wants_to_know_whether_a_session_can_be_won_says_so_of_each() -> None:
    connection = subscribed(A=1)
    connection.receive('{"type":"sub","topic":"session:B","winnable":true}')

    assert [connection.wants_winnable(session) for session in "ABC"] == [False, True, False]
    connection.strayed("B", 3, 0xBAD)
    assert connection.wants_winnable("B")
    connection.receive('{"type":"sub","topic":"session:B"}')
    assert not connection.wants_winnable("B")


def test_on_a_sessions_own_path_the_hello_says_so() -> None:
    connection = Connection("ID")
    connection.receive('{"type":"hello","v":1,"winnable":true}')

    assert connection.wants_winnable("ID")
