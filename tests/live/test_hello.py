"""How a socket begins: who is let in, and where a client comes back to."""

import json

import pytest

from service.protocol.connection import PING_SECONDS
from service.web.driver import HELLO_SECONDS
from tests.live.client import guest, opened, resume, watching


async def test_a_hello_is_answered_with_a_welcome_and_the_session(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with opened(service, session["id"]) as socket:
            await socket.say("hello", v=1)
            welcome, snapshot = await socket.hear(), await socket.hear()

    assert welcome == {"type": "welcome", "v": 1, "now": welcome["now"], "ping": PING_SECONDS}
    assert snapshot == {
        "type": "snapshot",
        "topic": f"session:{session['id']}",
        "session": session | {"you": None, "legal": []},
    }


async def test_the_subprotocol_is_agreed_on_where_it_is_offered(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with opened(service, session["id"], subprotocols=["soap", "constitution.v1"]) as socket:
            assert socket.link.subprotocol == "constitution.v1"
        async with opened(service, session["id"]) as socket:
            assert socket.link.subprotocol is None


async def test_a_ticket_seats_its_player_once(service: str) -> None:
    async with guest(service) as player:
        session, ticket = await player.deal(), await player.ticket()
        async with opened(service, session["id"]) as socket:
            await socket.say("hello", v=1, ticket=ticket)
            *_, snapshot = await socket.hear_until("snapshot")
        async with opened(service, session["id"]) as socket:
            await socket.say("hello", v=1, ticket=ticket)
            messages, code = await socket.farewell()

    assert snapshot["session"] == session
    assert (messages, code) == ([{"type": "bye", "code": "unauthorised", "retry_ms": None}], 4501)


async def test_a_token_in_the_header_seats_its_player(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with watching(service, session, player) as socket:
            assert json.loads(socket.heard[-1])["session"] == session


@pytest.mark.parametrize("header", ["Bearer unknown", "Bearer", "Basic dTpw"])
async def test_a_header_that_names_nobody_is_turned_away(service: str, header: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with opened(service, session["id"], additional_headers={"Authorization": header}) as socket:
            await socket.say("hello", v=1)
            assert await socket.farewell() == ([{"type": "bye", "code": "unauthorised", "retry_ms": None}], 4501)


async def test_a_session_without_spectators_is_for_its_player(service: str) -> None:
    async with guest(service) as player, guest(service) as other:
        session = await player.deal(spectators=False)
        async with watching(service, session, player) as socket:
            assert json.loads(socket.heard[-1])["session"] == session
        async with opened(service, session["id"]) as socket:
            await socket.say("hello", v=1, ticket=await other.ticket())
            (welcome, bye), code = await socket.farewell()

    assert welcome["type"] == "welcome"
    assert (bye, code) == ({"type": "bye", "code": "forbidden", "retry_ms": None}, 4503)


@pytest.mark.parametrize("session", ["none", "0" * 32, "%00", "%F0%9F%82%A1", "{}", "a" * 2000])
async def test_an_unknown_session_is_said_to_be_unknown(service: str, session: str) -> None:
    async with opened(service, session) as socket:
        await socket.say("hello", v=1)
        (_, bye), code = await socket.farewell()

    assert (bye, code) == ({"type": "bye", "code": "no_such_session", "retry_ms": None}, 4504)


async def test_whoever_says_nothing_is_sent_away(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with opened(service, session["id"]) as socket:
            farewell = await socket.farewell()

    assert farewell == ([{"type": "bye", "code": "no_hello", "retry_ms": 1000}], 4008)
    assert HELLO_SECONDS == 5.0


@pytest.mark.parametrize("frame", ['{"type":"ping"}', "hello", "", b'{"type":"hello","v":1}', b""])
async def test_whoever_says_something_else_first_is_sent_away(service: str, frame: str | bytes) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with opened(service, session["id"]) as socket:
            await socket.link.send(frame)
            assert await socket.farewell() == ([{"type": "bye", "code": "no_hello", "retry_ms": 1000}], 4008)


async def test_a_version_that_is_not_spoken_is_turned_away(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal()
        async with opened(service, session["id"]) as socket:
            await socket.say("hello", v=2)
            assert await socket.farewell() == ([{"type": "bye", "code": "wrong_version", "retry_ms": None}], 4500)


async def test_a_known_place_is_resumed_with_exactly_what_was_missed(service: str) -> None:
    async with guest(service) as player:
        first = await player.play(await player.deal(), "b1G")
        last = await player.play(first, "g2b1", "b3g2")
        async with watching(service, last, player, **resume(first)) as socket:
            pass
        async with watching(service, last, player, **resume(last)) as other:
            pass

    _, *missed, subbed = map(json.loads, socket.heard)
    assert [(event["type"], event["seq"], event["move"]) for event in missed] == [
        ("event", 2, "g2b1"),
        ("event", 3, "b3g2"),
    ]
    assert (missed[-1]["crc"], missed[-1]["legal"]) == (last["crc"], last["legal"])
    assert subbed == {"type": "subbed", "topic": f"session:{last['id']}", "seq": 3}
    assert [json.loads(text)["type"] for text in other.heard] == ["welcome", "subbed"]


@pytest.mark.parametrize("wrong", [{"seq": 1, "crc": "00000bad"}, {"seq": 4, "crc": "00000bad"}, {"seq": 4}])
async def test_a_place_that_is_not_in_the_log_is_reset(service: str, wrong: dict[str, object]) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G", "g2b1", "b3g2")
        async with watching(service, session, player, **wrong) as socket:
            pass

    _, reset = map(json.loads, socket.heard)
    assert reset == {"type": "reset", "topic": f"session:{session['id']}", "session": session}


async def test_whoever_is_too_far_behind_is_given_the_session(service: str) -> None:
    async with guest(service) as player:
        session = first = await player.play(await player.deal(), "b1G")
        async with watching(service, session, player) as socket:
            for at in range(1, 502):
                answer = await socket.ask("redo" if at % 2 == 0 else "undo", session=session["id"], at=at)
                assert answer["seq"] == at + 1
        async with watching(service, session, player, **resume(first)) as socket:
            pass
        async with watching(service, session, player, seq=2) as nearer:
            pass

    _, snapshot = map(json.loads, socket.heard)
    assert (snapshot["type"], snapshot["session"]["seq"]) == ("snapshot", 502)
    _, *missed, subbed = map(json.loads, nearer.heard)
    assert [event["seq"] for event in missed] == [*range(3, 503)]
    assert subbed["seq"] == 502


async def test_a_client_may_subscribe_again_at_any_time(service: str) -> None:
    async with guest(service) as player:
        session = await player.play(await player.deal(), "b1G", "g2b1")
        topic = f"session:{session['id']}"
        async with watching(service, session) as socket:
            await socket.say("sub", topic=topic, seq=1)
            event, subbed = await socket.hear(), await socket.hear()
            await socket.say("sub", topic=topic)
            snapshot = await socket.hear()

    assert (event["seq"], event["move"]) == (2, "g2b1")
    assert subbed == {"type": "subbed", "topic": topic, "seq": 2}
    assert (snapshot["type"], snapshot["session"]["seq"]) == ("snapshot", 2)
