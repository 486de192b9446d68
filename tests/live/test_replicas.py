"""What is played on one replica is seen on the other."""

import asyncio
from pathlib import Path

from redis import Redis

from service.engine.log import ENTRY_BYTES
from service.store.redis import keys
from tests.live.client import guest, place, watching
from tests.live.replica import replica

SOON = 1.0  # seconds
MOVES = ("b1G", "g2b1", "b3g2", "a4b3")


async def test_a_move_on_one_replica_is_seen_on_the_other_within_a_second(replicas: tuple[str, str]) -> None:
    one, other = replicas
    async with guest(one) as player:
        session = await player.deal()
        async with watching(one, session, player) as here, watching(other, session) as there:
            for move in MOVES:
                ack = await here.ask("play", session=session["id"], move=move, **place(session))
                async with asyncio.timeout(SOON):
                    event = await there.hear()
                assert (event["type"], event["move"], event["seq"]) == ("event", move, ack["seq"])
                session = session | {"seq": ack["seq"], "crc": ack["crc"]}


async def test_a_link_to_the_store_that_breaks_is_made_again_and_no_entry_is_missed(
    service: str, redis_url: str, tmp_path: Path
) -> None:
    with Redis.from_url(redis_url, decode_responses=True) as control:
        others = {client["id"] for client in control.client_list("pubsub")}
        with replica(redis_url, tmp_path / "log") as cut_off:
            async with guest(service) as player:
                session = await player.deal()
                async with watching(cut_off.url, session) as spectator:
                    for move in MOVES:
                        for link in {client["id"] for client in control.client_list("pubsub")} - others:
                            control.client_kill_filter(_id=link)
                        session = await player.play(session, move)
                        assert (await spectator.hear())["seq"] == session["seq"]


async def test_a_log_that_lost_its_end_is_told_to_everybody(replicas: tuple[str, str], redis_url: str) -> None:
    one, other = replicas
    async with guest(one) as player:
        before = await player.play(await player.deal(), "b1G", "g2b1")
        after = await player.play(before, "b3g2")
        async with watching(one, after, player) as mine, watching(other, after) as theirs:
            lose_last_entry(redis_url, session=after["id"])
            stale = await mine.ask("play", session=after["id"], move="a4b3", **place(after))
            told, seen = await mine.hear(), await theirs.hear()

    assert stale["missed"] == []
    assert told == {"type": "reset", "topic": f"session:{after['id']}", "session": before}
    assert seen == {"type": "reset", "topic": f"session:{after['id']}", "session": before | {"you": None, "legal": []}}


def lose_last_entry(redis_url: str, session: str) -> None:
    """What a failover to a replica that is one entry behind does, and the ring of a link that is made again."""
    with Redis.from_url(redis_url) as control:
        log = keys.session_log(session)
        control.set(log, control.get(log)[:-ENTRY_BYTES])
        control.spublish(keys.session_channel(session), "")
