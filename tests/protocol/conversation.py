"""A connection as its driver sees it."""

import json
from typing import Any

from service.protocol import messages
from service.protocol.connection import Connection
from service.protocol.requests import Request
from tests.protocol.wire import event


def requests_of(connection: Connection) -> list[Request]:
    """All that the connection asks for by now."""
    return list(iter(connection.next_request, None))


def sent_by(connection: Connection) -> list[Any]:
    """All that the connection has to send by now, decoded."""
    return [json.loads(frame) for frame in connection.data_to_send()]


def types_sent_by(connection: Connection) -> list[str]:
    """As `sent_by`, the types alone."""
    return [message["type"] for message in sent_by(connection)]


def is_open(connection: Connection) -> bool:
    return connection.closed_for is None


def feed(connection: Connection, *seqs: int, session: str = "ID") -> None:
    """Tells the connection of entries of a session's log, one after another."""
    for seq in seqs:
        connection.feed(session, seq, seq, messages.encode(event(seq)))


def caught_up(connection: Connection, seq: int) -> None:
    """Tells the connection that its client has all up to entry `seq` of the session."""
    connection.caught_up("ID", seq, seq, [messages.Subbed("session:ID", seq)])


def seqs_sent_by(connection: Connection) -> list[int]:
    """The numbers of the events that the connection has to send by now, where it sends nothing else."""
    return [{"event": message}[message["type"]]["seq"] for message in sent_by(connection)]


def greeted() -> Connection:
    """A connection that was opened on session ID and has asked for what it needs."""
    connection = Connection("ID")
    connection.receive('{"type":"hello","v":1}')
    requests_of(connection)
    return connection


def live(seq: int) -> Connection:
    """A connection that is open and up to date with entry `seq`, and has nothing left to do or send."""
    connection = greeted()
    connection.admitted(0)
    connection.caught_up("ID", seq, seq, [])
    sent_by(connection)
    return connection
