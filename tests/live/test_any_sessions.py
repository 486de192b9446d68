"""One socket, any sessions."""

import pytest
from redis import Redis

from service.protocol.connection import TOPIC_LIMIT
from service.store.redis import keys
from tests.live.client import Message, Socket, bearer, eventually, guest, opened, place, resume, topic, welcomed

PRIVATE = {"code": "not_for_spectators", "detail": "This session shows itself to its players only."}
UNKNOWN = {"code": "no_such_session", "detail": "There is no session 'none', or no more."}


async def subscribe(socket: Socket, *sessions: Message) -> list[Message]:
    """What is told of each session."""
    told = []
    for session in sessions:
        await socket.say("sub", topic=topic(session))
        told.append(await socket.hear())
    return told


async def test_a_socket_carries_every_session_it_subscribes_to_each_from_its_own_seat(service: str) -> None:
    async with guest(service) as player, guest(service) as other, welcomed(service, player) as socket:
        mine, theirs = await player.deal(), await other.deal()
        told = await subscribe(socket, mine, theirs)
        await other.play(theirs, "b1G")
        seen = await socket.hear()
        played = await socket.ask("play", session=mine["id"], move="b1G", **place(mine))
        refused = await socket.ask("play", session=theirs["id"], move="g2b1", at=1)

    assert told == [
        {"type": "snapshot", "topic": topic(mine), "session": mine},
        {"type": "snapshot", "topic": topic(theirs), "session": theirs | {"you": None, "legal": []}},
    ]
    assert (seen["session"], seen["seq"], seen["legal"]) == (theirs["id"], 1, [])
    assert (played["type"], played["session"], played["seq"]) == ("ack", mine["id"], 1)
    assert (refused["code"], refused["session"], refused["at"]) == ("not_your_seat", theirs["id"], 1)


async def test_each_session_is_resumed_from_its_own_place(service: str) -> None:
    async with guest(service) as player, welcomed(service, player) as socket:
        early, late = await player.play(await player.deal(), "b1G"), await player.play(await player.deal(), "b1G")
        await player.play(early, "g2b1", "b3g2")
        await socket.say("sub", topic=topic(early), **resume(early))
        await socket.say("sub", topic=topic(late), **resume(late))
        heard = [await socket.hear() for _ in range(4)]

    assert [(message["type"], message["seq"]) for message in heard] == [
        ("event", 2),
        ("event", 3),
        ("subbed", 3),
        ("subbed", 1),
    ]


async def test_an_unsub_ends_the_events_and_the_service_listens_no_more(service: str, redis_url: str) -> None:
    async with guest(service) as player, welcomed(service) as socket:
        left, kept = await player.deal(), await player.deal()
        await subscribe(socket, left, kept)
        await socket.say("unsub", topic=topic(left))
        assert await socket.hear() == {"type": "unsubbed", "topic": topic(left)}
        with Redis.from_url(redis_url) as control:
            channel = keys.session_channel(left["id"])
            await eventually(lambda: control.pubsub_shardnumsub(channel) == [(channel.encode(), 0)])
        left = await player.play(left, "b1G")
        await player.play(kept, "b1G")
        assert (await socket.hear())["session"] == kept["id"]

        assert (await subscribe(socket, left))[0]["session"]["seq"] == 1


async def test_an_unsub_of_what_is_not_watched_is_answered_too(service: str) -> None:
    async with welcomed(service) as socket:
        await socket.say("unsub", topic="session:none")
        assert await socket.hear() == {"type": "unsubbed", "topic": "session:none"}


async def test_a_socket_that_goes_leaves_all_its_sessions(service: str, redis_url: str) -> None:
    async with guest(service) as player:
        sessions = [await player.deal() for _ in range(3)]
        async with welcomed(service) as socket:
            await subscribe(socket, *sessions)
    with Redis.from_url(redis_url) as control:
        for channel in [keys.session_channel(session["id"]) for session in sessions]:
            await eventually(lambda: control.pubsub_shardnumsub(channel) == [(channel.encode(), 0)])  # noqa: B023


async def test_a_session_that_cannot_be_had_costs_its_subscription_alone(service: str, redis_url: str) -> None:
    async with guest(service) as player, welcomed(service) as socket:
        private, damaged, good = [await player.deal(spectators=False), await player.deal(), await player.deal()]
        with Redis.from_url(redis_url) as control:
            control.set(keys.session_log(damaged["id"]), b"\xff")
            refusals = await subscribe(socket, private, damaged, {"id": "none"})
            assert (await subscribe(socket, good))[0]["type"] == "snapshot"
            channel = keys.session_channel(private["id"])
            await eventually(lambda: control.pubsub_shardnumsub(channel) == [(channel.encode(), 0)])
        await player.play(private, "b1G")
        await player.play(good, "b1G")
        assert (await socket.hear())["session"] == good["id"]

    assert refusals[0] == {"type": "refused", "session": private["id"], **PRIVATE}
    assert (refusals[1]["code"], refusals[1]["session"]) == ("corrupt_session", damaged["id"])
    assert refusals[2] == {"type": "refused", "session": "none", **UNKNOWN}


async def test_a_command_on_what_is_not_there_is_refused_and_the_socket_goes_on(service: str) -> None:
    async with guest(service) as player, welcomed(service, player) as socket:
        refused = await socket.ask("play", session="none", move="b1G", at=0)
        session = await player.deal()
        played = await socket.ask("play", session=session["id"], move="b1G", **place(session))

    assert refused == {"type": "refused", "session": "none", "at": 0, **UNKNOWN}
    assert played["type"] == "ack"


@pytest.mark.parametrize("is_noticed_by", ["a ring", "a move"])
async def test_a_session_that_expires_ends_its_subscription(service: str, redis_url: str, is_noticed_by: str) -> None:
    async with guest(service) as player, welcomed(service, player) as socket:
        session, other = await player.deal(), await player.deal()
        await subscribe(socket, session, other)
        with Redis.from_url(redis_url) as control:
            control.delete(keys.session_meta(session["id"]))
            if is_noticed_by == "a ring":
                control.spublish(keys.session_channel(session["id"]), "")
            else:
                await socket.say("play", session=session["id"], move="b1G", **place(session))
        refused = await socket.hear()
        await player.play(other, "b1G")
        assert (await socket.hear_until("event"))[-1]["session"] == other["id"]

    assert (refused["code"], refused["session"]) == ("no_such_session", session["id"])
    assert ("at" in refused) == (is_noticed_by == "a move")


async def test_a_socket_carries_so_many_sessions_and_no_more(service: str) -> None:
    async with guest(service) as player, welcomed(service) as socket:
        sessions = [await player.deal() for _ in range(TOPIC_LIMIT + 1)]
        told = await subscribe(socket, *sessions)
        await socket.say("unsub", topic=topic(sessions[0]))
        await socket.say("sub", topic=topic(sessions[-1]))
        again = await socket.hear_until("snapshot")

    assert [message["type"] for message in told] == TOPIC_LIMIT * ["snapshot"] + ["refused"]
    assert (told[-1]["code"], told[-1]["session"]) == ("too_many_topics", sessions[-1]["id"])
    assert [message["type"] for message in again] == ["unsubbed", "snapshot"]


async def test_a_header_that_names_nobody_is_turned_away(service: str) -> None:
    async with guest(service) as player:
        player.token = "unknown"
        async with opened(service, None, additional_headers=bearer(player)) as socket:
            await socket.say("hello", v=1)
            assert await socket.farewell() == ([{"type": "bye", "code": "unauthorised", "retry_ms": None}], 4501)
