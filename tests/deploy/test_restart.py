"""Every replica is replaced by one of another image while people play."""

import asyncio

from tests.chaos.sockets import Spectator
from tests.deploy.images import OURS
from tests.deploy.load import playing
from tests.deploy.reading import Reader
from tests.deploy.stack import Stack

NEXT = f"{OURS}:next"


async def test_an_upgrade_under_play_loses_no_acknowledged_move_and_everybody_resumes(standing: Stack) -> None:
    standing.docker("tag", OURS, NEXT)
    before = standing.containers("service")
    async with playing(standing.door, Reader(standing), seed=7) as play:
        standing.environment["IMAGE"] = NEXT
        print(await asyncio.to_thread(standing.script, "roll"))
        await play.goes_on()
        verdict = await play.ended()
    after = standing.containers("service")
    print(verdict)

    assert len(after) == len(before)
    assert not set(after) & set(before)
    images = {standing.inspect(one)["Config"]["Image"] for one in after + standing.containers("worker")}
    assert images == {NEXT}
    assert not verdict.findings.problems, str(verdict)
    assert not play.begun_anew(), "each was told exactly what it had missed"
    for client in play.clients:
        assert play.resumes()[client.witness.name] > 0 or not isinstance(client, Spectator), "it had to come back"
