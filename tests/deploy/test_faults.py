"""Each container in turn is killed, held, and cut off, while people play through the proxy."""

import asyncio
import time
from contextlib import suppress

import httpx
import pytest

from tests.deploy.harm import Harm, cut_off, held, killed
from tests.deploy.load import playing
from tests.deploy.reading import Reader
from tests.deploy.stack import Stack

HARMS: list[Harm] = [killed, held, cut_off]
LASTING = 1.0  # seconds
SOLVING = 90.0  # seconds in which a worker is there again, has found what another left undone, and has solved a deal
DEALS = ["pysol:1", "pysol:7", "pysol:8"]


@pytest.mark.timeout(300)
async def test_whatever_happens_to_one_container_no_move_is_lost_doubled_or_hidden_and_play_goes_on(
    standing: Stack,
) -> None:
    replaceable, workers = standing.containers("service"), standing.containers("worker")
    deals, searches = iter(DEALS), list[asyncio.Task[None]]()
    async with playing(standing.door, Reader(standing), seed=11) as play:
        for container in standing.containers():
            for harm in HARMS:
                began = time.monotonic()
                async with harm(standing, container):
                    await asyncio.sleep(LASTING)
                    if container in replaceable + workers:
                        await play.goes_on()
                    if container in workers:
                        searches.append(asyncio.create_task(until_solved(standing.url, next(deals))))
                await play.goes_on()
                print(f"{container} {harm.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        await asyncio.to_thread(standing.until, standing.is_well, "everything is well again")
        await asyncio.gather(*searches)
        verdict = await play.ended()
    print(verdict)

    assert len(searches) == len(DEALS)
    assert not verdict.findings.problems, str(verdict)
    assert not play.begun_anew(), "nothing was forgotten"


async def until_solved(url: str, deal: str) -> None:
    """Returns when a worker has won a deal; raises TimeoutError."""
    async with httpx.AsyncClient(base_url=url, trust_env=False) as http, asyncio.timeout(SOLVING):
        while True:
            with suppress(httpx.HTTPError):
                answer = await http.get(f"/v1/deals/{deal}", timeout=SOLVING)
                if answer.is_success and answer.json()["winnable"] == "yes":
                    return
            await asyncio.sleep(0.1)
