"""The boards that a socket is shown, on a real store."""

import json
from typing import Any

from service.protocol.connection import Connection
from service.protocol.requests import HideBoard, ShowBoard
from service.store.redis.store import RedisStore
from service.telemetry.meters import Meters
from service.usecases.board_watch import BoardWatch
from service.web.showing import Showing
from tests.protocol.conversation import live, requests_of, sent_by
from tests.servers import Server
from tests.usecases.test_boards import FIRST, SPEED, Readers

TOPIC, OTHER = f"board:{FIRST}", f"board:{SPEED}"


class Shown:
    """A socket's boards, and what its client was told of them."""

    def __init__(self, readers: Readers) -> None:
        self.watch = BoardWatch(readers.boards, readers.store.boards, readers.store.days, Meters())
        self.connection: Connection = live(0)
        self.heard: list[Any] = []
        self.showing = Showing(self.watch, self.connection, lambda: self.heard.extend(sent_by(self.connection)))

    async def say(self, kind: str, topic: str) -> None:
        self.connection.receive(json.dumps({"type": kind, "topic": topic}))
        for request in requests_of(self.connection):
            match request:
                case ShowBoard(topic):
                    await self.showing.show(topic)
                case HideBoard(topic):
                    self.showing.hide(topic)


async def test_each_sub_is_answered_with_the_board_and_watches_it_once() -> None:
    readers = Readers()
    await readers.fill()
    shown = Shown(readers)
    for topic in (TOPIC, OTHER, TOPIC):
        await shown.say("sub", topic)
    assert [(one["topic"], one["board"]["scope"]) for one in shown.heard] == [
        (TOPIC, "first"),
        (OTHER, "speed"),
        (TOPIC, "first"),
    ]
    await shown.say("unsub", TOPIC)
    assert set(shown.watch._watched) == {SPEED}


async def test_a_socket_that_goes_watches_nothing_more() -> None:
    readers = Readers()
    await readers.fill()
    shown = Shown(readers)
    for topic in (TOPIC, OTHER):
        await shown.say("sub", topic)
    shown.showing.end()
    assert not shown.watch._watched


async def test_a_store_that_is_away_costs_the_subscription_and_it_can_be_had_later(private_server: Server) -> None:
    readers = Readers(RedisStore(private_server.url, session_ttl=0))
    await readers.fill()
    shown = Shown(readers)
    private_server.kill()
    await shown.say("sub", TOPIC)
    assert sent_by(shown.connection) == [
        {
            "type": "refused",
            "code": "unavailable",
            "detail": "The store cannot be reached; send it again.",
            "topic": TOPIC,
        }
    ]
    assert not shown.watch._watched
    private_server.start()
    await shown.say("sub", TOPIC)
    assert [one["board"]["size"] for one in shown.heard] == [5]
    await readers.store.close()
