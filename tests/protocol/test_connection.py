"""One socket, frame by frame."""

import json

import pytest

from service.protocol import messages
from service.protocol.close import Close
from service.protocol.connection import Connection
from service.protocol.requests import Admit, CatchUp
from tests.protocol.conversation import feed, greeted, live, requests_of, sent_by, seqs_sent_by
from tests.protocol.wire import SESSION, event

PLAY = '{"type":"play","session":"ID","move":"S","at":41}'
PING = '{"type":"ping"}'

# The hello.


def test_a_hello_asks_who_it_is_and_then_for_the_session() -> None:
    connection = Connection("ID")
    connection.receive('{"type":"hello","v":1,"ticket":"t"}')

    assert requests_of(connection) == [Admit("t"), CatchUp("ID", None, None)]
    assert sent_by(connection) == []


def test_a_hello_resumes_from_the_place_it_names() -> None:
    connection = Connection("ID")
    connection.receive('{"type":"hello","v":1,"seq":17,"crc":"9a0b12ff"}')

    assert requests_of(connection) == [Admit(None), CatchUp("ID", 17, 0x9A0B12FF)]


def test_who_is_admitted_is_welcomed_and_given_the_session() -> None:
    connection = greeted()
    connection.admitted(now=1_793_525_400_000)
    connection.caught_up("ID", 1, 1, [messages.Snapshot("session:ID", SESSION)])

    welcome, snapshot = sent_by(connection)
    assert welcome == {"type": "welcome", "v": 1, "now": 1_793_525_400_000, "ping": 20}
    assert (snapshot["type"], snapshot["session"]["seq"]) == ("snapshot", 1)


@pytest.mark.parametrize("frame", [PING, PLAY, "", "{", '{"type":"hello"}', b'{"type":"hello","v":1}'])
def test_a_first_frame_that_is_no_hello_ends_it(frame: str | bytes) -> None:
    connection = Connection("ID")
    connection.receive(frame)

    assert sent_by(connection) == [{"type": "bye", "code": "no_hello", "retry_ms": 1000}]
    assert connection.closed_for is Close.NO_HELLO
    assert requests_of(connection) == []


@pytest.mark.parametrize("version", [0, 2])
def test_a_version_that_is_not_spoken_here_ends_it_for_good(version: int) -> None:
    connection = Connection("ID")
    connection.receive(f'{{"type":"hello","v":{version}}}')

    assert sent_by(connection) == [{"type": "bye", "code": "wrong_version", "retry_ms": None}]
    assert connection.closed_for is Close.WRONG_VERSION
    assert requests_of(connection) == []


def test_a_second_hello_is_refused() -> None:
    connection = live(41)
    connection.receive('{"type":"hello","v":1}')

    assert sent_by(connection) == [
        {"type": "refused", "code": "bad_request", "detail": "a hello comes once, and first"}
    ]
    assert requests_of(connection) == []


# What a client says later.


def test_a_ping_is_answered_at_once() -> None:
    connection = live(41)
    connection.receive(PING)

    assert sent_by(connection) == [{"type": "pong"}]


@pytest.mark.parametrize(
    "command", [messages.Play("ID", "S", 41, None), messages.Undo("ID", 41), messages.Redo("ID", 41, "9a0b12ff")]
)
def test_a_command_is_to_be_carried_out(command: messages.Play | messages.Undo | messages.Redo) -> None:
    connection = live(41)
    connection.receive(messages.encode(command).decode())

    assert requests_of(connection) == [command]
    assert sent_by(connection) == []


def test_requests_keep_the_order_of_the_messages() -> None:
    connection = live(41)
    connection.receive(PLAY)
    connection.receive('{"type":"sub","topic":"session:ID","seq":41,"crc":"00000029"}')
    connection.receive(PLAY)

    assert requests_of(connection) == [
        messages.Play("ID", "S", 41),
        CatchUp("ID", 41, 41),
        messages.Play("ID", "S", 41),
    ]


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"sub","topic":"session:other"}',
        '{"type":"unsub","topic":"session:other"}',
        '{"type":"play","session":"other","move":"S","at":41}',
        '{"type":"undo","session":"other","at":41}',
        '{"type":"redo","session":"other","at":41}',
    ],
)
def test_another_session_is_refused(frame: str) -> None:
    connection = live(41)
    connection.receive(frame)

    assert sent_by(connection) == [
        {"type": "refused", "code": "bad_request", "detail": "this socket carries session:ID and no other"}
    ]
    assert requests_of(connection) == []


def test_a_frame_that_is_no_message_is_refused_and_the_next_is_heard() -> None:
    connection = live(41)
    connection.receive("{")
    connection.receive(b"\x00")
    connection.receive(PING)

    assert sent_by(connection) == [
        {"type": "refused", "code": "bad_request", "detail": "Input data was truncated"},
        {"type": "refused", "code": "bad_request", "detail": "the protocol has text frames only"},
        {"type": "pong"},
    ]


# What becomes of a command.


def test_the_mover_has_the_event_before_the_ack() -> None:
    connection = live(41)
    connection.receive(PLAY)
    feed(connection, 42)
    connection.acked("ID", 41, 42, 0x9A0B12FF)

    moved, ack = sent_by(connection)
    assert (moved["type"], moved["seq"]) == ("event", 42)
    assert ack == {"type": "ack", "session": "ID", "at": 41, "seq": 42, "crc": "9a0b12ff"}


def test_a_refusal_is_sent() -> None:
    connection = live(41)
    connection.refused(messages.Refused("session_over", "It is over.", session="ID", at=41))

    assert sent_by(connection) == [
        {"type": "refused", "code": "session_over", "detail": "It is over.", "session": "ID", "at": 41}
    ]


def test_a_late_command_is_told_what_it_missed() -> None:
    connection = live(41)
    connection.stale(messages.Stale("ID", 40, [event(41)]))

    assert sent_by(connection) == [
        {"type": "stale", "session": "ID", "at": 40, "missed": [json.loads(messages.encode(event(41)))]}
    ]


def test_a_command_from_another_history_is_answered_and_the_session_asked_for_from_there() -> None:
    connection = live(41)
    connection.strayed("ID", 40, 0xBAD)

    assert sent_by(connection) == [{"type": "stale", "session": "ID", "at": 40, "missed": []}]
    assert requests_of(connection) == [CatchUp("ID", 40, 0xBAD)]


# What a session gains.


def test_the_next_entry_is_sent() -> None:
    connection = live(41)
    feed(connection, 42, 43)

    assert seqs_sent_by(connection) == [42, 43]


def test_what_is_told_of_a_session_beside_its_entries_is_sent_where_it_is_watched() -> None:
    connection = live(41)
    connection.tell("ID", b'{"type":"presence"}')
    connection.tell("another", b'{"type":"presence"}')

    assert sent_by(connection) == [{"type": "presence"}]


def test_an_entry_that_was_had_is_dropped() -> None:
    connection = live(41)
    feed(connection, 40, 41, 42, 42, 41, 43)

    assert seqs_sent_by(connection) == [42, 43]


def test_a_gap_in_the_feed_asks_to_be_caught_up_from_the_last_place() -> None:
    connection = live(41)
    feed(connection, 42, 44)

    assert seqs_sent_by(connection) == [42]
    assert requests_of(connection) == [CatchUp("ID", 42, 42)]


def test_a_gap_is_asked_about_once() -> None:
    connection = live(41)
    feed(connection, 43, 44, 46)
    connection.lost("ID")

    assert requests_of(connection) == [CatchUp("ID", 41, 41)]


def test_a_lost_history_is_asked_for_from_the_last_place() -> None:
    connection = live(41)
    connection.lost("ID")

    assert requests_of(connection) == [CatchUp("ID", 41, 41)]


def test_entries_are_held_while_the_client_is_caught_up_and_follow_it() -> None:
    connection = live(41)
    feed(connection, 43, 44, 45)
    assert sent_by(connection) == []

    connection.caught_up("ID", 43, 43, [event(42), event(43)])
    assert seqs_sent_by(connection) == [42, 43, 44, 45]


def test_held_entries_that_leave_a_gap_ask_again() -> None:
    connection = live(41)
    feed(connection, 43, 44)
    requests_of(connection)
    connection.caught_up("ID", 42, 42, [event(42)])

    assert seqs_sent_by(connection) == [42]
    assert requests_of(connection) == [CatchUp("ID", 42, 42)]


def test_a_subscription_begins_again_from_where_the_client_says() -> None:
    connection = live(41)
    connection.receive('{"type":"sub","topic":"session:ID","seq":40}')
    feed(connection, 42)
    assert sent_by(connection) == []
    assert requests_of(connection) == [CatchUp("ID", 40, None)]

    connection.caught_up("ID", 41, 41, [event(41)])
    assert seqs_sent_by(connection) == [41, 42]


def test_entries_of_a_session_that_is_not_watched_are_dropped() -> None:
    connection = Connection("ID")
    feed(connection, 1)
    connection.lost("ID")

    assert sent_by(connection) == []
    assert requests_of(connection) == []
