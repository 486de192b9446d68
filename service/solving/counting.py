"""How searches are counted."""

from asyncio import CancelledError
from collections.abc import Awaitable
from time import perf_counter

from service.ports import Report, SolverBusy
from service.telemetry.meters import SearchMeter


async def counted(meter: SearchMeter, search: Awaitable[Report]) -> Report:
    """What a search finds; it is counted by how it ends, with the time until then."""
    began, outcome = perf_counter(), "failed"
    try:
        report = await search
        outcome = report.result
    except SolverBusy:
        outcome = "busy"
        raise
    except CancelledError:
        outcome = "unwanted"
        raise
    finally:
        meter.outcomes[outcome] += 1
        meter.seconds.add(perf_counter() - began)
    return report
