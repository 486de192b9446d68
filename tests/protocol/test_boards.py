"""Boards on a socket: asked for, shown as they are now, and left."""

import json

import pytest

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import OUTBOX_LIMIT, TOPIC_LIMIT, Connection
from service.protocol.requests import CatchUp, HideBoard, ShowBoard, Unwatch
from tests.protocol.conversation import feed, is_open, live, requests_of, sent_by
from tests.protocol.wire import TOPIC

OTHER = "board:2026-11-30/modern/speed/people"


def state(number: int, topic: str = TOPIC) -> bytes:
    """A frame of a board, in one of its states."""
    return messages.encode({"type": "board", "topic": topic, "state": number})


def say(connection: Connection, kind: str, topic: str = TOPIC) -> None:
    connection.receive(json.dumps({"type": kind, "topic": topic}))


def shown(*topics: str) -> Connection:
    """A connection of session ID that has asked for these boards, and has nothing left to do or send."""
    connection = live(41)
    for topic in topics:
        say(connection, "sub", topic)
    requests_of(connection)
    return connection


def states_sent_by(connection: Connection) -> list[tuple[str, int]]:
    """The topic and the state of each board that the connection has to send by now, where it sends nothing else."""
    return [(message["topic"], message["state"]) for message in sent_by(connection)]


def test_a_board_is_asked_for_on_any_socket_and_is_shown_as_it_is_told() -> None:
    for connection in (live(41), shown(OTHER)):
        say(connection, "sub")
        assert requests_of(connection) == [ShowBoard(TOPIC)]
        for number in (1, 2):
            connection.show(TOPIC, state(number))
            assert states_sent_by(connection) == [(TOPIC, number)]


def test_a_board_that_was_not_asked_for_is_not_shown() -> None:
    connection = shown(OTHER)
    connection.show(TOPIC, state(1))

    assert sent_by(connection) == []


def test_a_state_that_is_not_sent_yet_is_replaced_by_the_next_and_other_boards_are_not() -> None:
    connection = shown(TOPIC, OTHER)
    for number in range(3):
        connection.show(TOPIC, state(number))
        connection.show(OTHER, state(number, OTHER))
    feed(connection, 42)
    told = sent_by(connection)

    assert [message.get("state") for message in told] == [2, 2, None]
    assert {message["topic"] for message in told[:2]} == {TOPIC, OTHER}


def test_a_client_that_does_not_read_has_the_last_state_when_it_reads_again() -> None:
    connection = shown(TOPIC)
    connection.stall()
    for number in range(2 * OUTBOX_LIMIT):
        connection.show(TOPIC, state(number))
    assert sent_by(connection) == []

    connection.resume()
    assert not connection.is_full
    assert states_sent_by(connection) == [(TOPIC, 2 * OUTBOX_LIMIT - 1)]
    assert requests_of(connection) == []


def test_a_board_that_is_left_is_shown_no_more() -> None:
    connection = shown(TOPIC)
    say(connection, "unsub")
    connection.show(TOPIC, state(1))
    assert requests_of(connection) == [HideBoard(TOPIC)]

    connection.hidden(TOPIC)
    assert sent_by(connection) == [{"type": "unsubbed", "topic": TOPIC}]


def test_an_unsub_of_a_board_that_is_not_shown_is_answered_too() -> None:
    connection = live(41)
    say(connection, "unsub")

    assert requests_of(connection) == [HideBoard(TOPIC)]


def test_a_board_that_was_left_can_be_had_again_and_is_told_anew() -> None:
    connection = shown(TOPIC)
    connection.show(TOPIC, state(1))
    say(connection, "unsub")
    connection.hidden(TOPIC)
    say(connection, "sub")
    connection.show(TOPIC, state(1))

    assert requests_of(connection) == [HideBoard(TOPIC), ShowBoard(TOPIC)]
    assert [message["type"] for message in sent_by(connection)] == ["board", "unsubbed", "board"]


def test_a_board_that_cannot_be_shown_costs_its_subscription_alone() -> None:
    connection = shown(TOPIC, OTHER)
    connection.withheld(messages.Refused("no_such_day", "There is none.", topic=TOPIC))
    connection.show(TOPIC, state(1))
    connection.show(OTHER, state(1, OTHER))
    feed(connection, 42)
    refused, board, event = sent_by(connection)

    assert refused == {"type": "refused", "code": "no_such_day", "detail": "There is none.", "topic": TOPIC}
    assert (board["topic"], event["seq"]) == (OTHER, 42)
    assert is_open(connection)


def test_boards_and_sessions_are_counted_together() -> None:
    connection = shown(*(f"board:{number}" for number in range(TOPIC_LIMIT - 1)))
    say(connection, "sub")
    connection.withheld(messages.Refused("bad_request", "No.", topic="board:0"))
    assert [message["topic"] for message in sent_by(connection)] == [TOPIC, "board:0"]

    say(connection, "sub")
    say(connection, "sub")  # again what it has
    say(connection, "sub", OTHER)
    assert requests_of(connection) == 2 * [ShowBoard(TOPIC)]
    assert sent_by(connection) == [
        {
            "type": "refused",
            "code": "too_many_topics",
            "detail": "A socket carries 64 sessions and boards at most.",
            "topic": OTHER,
        }
    ]


def test_boards_leave_no_room_for_another_session() -> None:
    connection = Connection()
    connection.receive('{"type":"hello","v":1}')
    requests_of(connection)
    for number in range(TOPIC_LIMIT):
        say(connection, "sub", f"board:{number}")
    requests_of(connection)
    say(connection, "sub", "session:A")
    assert [(refused["code"], refused["session"]) for refused in sent_by(connection)] == [("too_many_topics", "A")]

    say(connection, "unsub", "board:0")
    say(connection, "sub", "session:A")
    say(connection, "unsub", "session:A")
    assert requests_of(connection) == [HideBoard("board:0"), CatchUp("A", None, None), Unwatch("A")]


@pytest.mark.parametrize("topic", ["board:", "boards:x", "board", " board:x", "board:" + 67 * "x"])
def test_what_is_no_topic_is_refused_as_no_message(topic: str) -> None:
    connection = live(41)
    for kind in ("sub", "unsub"):
        say(connection, kind, topic)

    assert [refused["code"] for refused in sent_by(connection)] == 2 * ["bad_request"]
    assert requests_of(connection) == []


def test_what_is_due_of_a_board_is_sent_before_the_bye_and_nothing_after_it() -> None:
    connection = shown(TOPIC)
    connection.show(TOPIC, state(1))
    connection.close(Close.GOING_AWAY)
    connection.show(TOPIC, state(2))
    connection.hidden(TOPIC)
    connection.withheld(messages.Refused("unavailable", "Away.", topic=TOPIC))

    assert [message["type"] for message in sent_by(connection)] == ["board", "bye"]
