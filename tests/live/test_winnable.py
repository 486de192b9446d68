"""Who wants to is told entry by entry whether a session can still be won, but not while its deal is a secret."""

from pathlib import Path

from tests.live.client import Message, Socket, bearer, guest, opened, resume, topic, watching, welcomed
from tests.live.replica import replica

SECRET = {"type": "refused", "code": "still_secret", "detail": "The deal is still secret."}
LOST = (
    "position:9D,4H,7S6H,JS,7S,5D4S,4D,4D/8D,TC,8D,JC,4H,2H,9C,JD/TH,6H,8H,TD,2S,3D,8S,5D/TD,8H,7C,6D,4C,7H,TC,6D "
    "3A2A2A22 4C3CTSJS3S5C6CJCJH9C9S8C8C3H7H3S4S7D6S5C9H5STS5H9S3D9D6C7D7C3HJH5S6S8STH9H5HJD2C -"
)
"""A position of modern that is stuck, in which `c1e1` can be played."""


async def told(socket: Socket) -> Message:
    """What the socket is told next of whether a session can be won."""
    return (await socket.hear_until("winnable"))[-1]


def winnable(session: Message, answer: str) -> Message:
    return {
        "type": "winnable",
        "session": session["id"],
        "seq": session["seq"],
        "crc": session["crc"],
        "winnable": answer,
    }


async def test_each_session_of_a_socket_is_told_about_that_wants_it(service: str) -> None:
    async with guest(service) as player, welcomed(service, player) as socket:
        lost, quiet, open_ = await player.deal(LOST), await player.deal(), await player.deal()
        await socket.say("sub", topic=topic(lost), winnable=True)
        assert await told(socket) == winnable(lost, "no")
        await socket.say("sub", topic=topic(quiet))
        await socket.say("sub", topic=topic(open_), winnable=True)
        assert await told(socket) == winnable(open_, "yes")

        await player.play(quiet, "b1G")
        lost = await player.play(lost, "c1e1")
        assert await told(socket) == winnable(lost, "no")


async def test_it_comes_after_the_event_and_to_spectators_too(replicas: tuple[str, str]) -> None:
    here, there = replicas
    async with guest(here) as player:
        session = await player.deal()
        async with watching(there, session, winnable=True) as theirs:
            assert await told(theirs) == winnable(session, "yes")
            session = await player.play(session, "b1G")
            heard = await theirs.hear_until("winnable")

    assert [message["type"] for message in heard] == ["event", "winnable"]
    assert heard[-1] == winnable(session, "yes")


async def test_who_subscribes_again_without_it_is_told_no_more(service: str) -> None:
    async with guest(service) as player, welcomed(service, player) as socket:
        session, other = await player.deal(), await player.deal(LOST)
        await socket.say("sub", topic=topic(session), winnable=True)
        await told(socket)
        await socket.say("sub", topic=topic(session), **resume(session))
        await socket.hear_until("subbed")
        await player.play(session, "b1G")
        await socket.say("sub", topic=topic(other), winnable=True)

        assert await told(socket) == winnable(other, "no")


async def test_of_a_secret_deal_it_is_refused_and_the_session_can_be_had_without(service: str) -> None:
    async with guest(service) as player, welcomed(service, player) as socket:
        session = await player.deal("secret")
        refusal = SECRET | {"session": session["id"]}
        await socket.say("sub", topic=topic(session), winnable=True)
        assert await socket.hear() == refusal
        await player.play(session, session["legal"][0]["move"])

        await socket.say("sub", topic=topic(session))
        session = (await socket.hear())["session"]
        session = await player.command("resign", session)
        assert (await socket.hear())["kind"] == "resign", "and nothing came of what was played before"
        await socket.say("sub", topic=topic(session), winnable=True)
        assert (await told(socket))["seq"] == session["seq"]


async def test_on_a_sessions_own_path_the_socket_stays_too(service: str) -> None:
    async with guest(service) as player:
        session = await player.deal("secret")
        async with opened(service, session["id"], additional_headers=bearer(player)) as socket:
            await socket.say("hello", v=1, winnable=True)
            assert (await socket.hear_until("refused"))[-1] == SECRET | {"session": session["id"]}
            await socket.say("sub", topic=topic(session))
            assert (await socket.hear())["session"] == session


async def test_who_asks_more_than_they_may_is_not_told(redis_url: str, tmp_path: Path) -> None:
    limits = {"HINTS_PER_MINUTE": "2"}
    with replica(redis_url, tmp_path / "log", **limits) as one:
        async with guest(one.url) as player, welcomed(one.url, player) as socket:
            sessions = [await player.deal() for _ in range(3)]
            for session in sessions:
                await socket.say("sub", topic=topic(session), winnable=True)
            heard = [await socket.hear() for _ in range(5)]
            await socket.say("ping")
            heard.append(await socket.hear())

    kinds = [message["type"] for message in heard]
    assert (kinds.count("snapshot"), kinds.count("winnable"), kinds[-1]) == (3, 2, "pong")
