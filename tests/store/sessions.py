"""Sessions, claims and commits to store, each told only by what a test is about."""

import asyncio
from dataclasses import replace
from typing import Any, Final

from msgspec import structs

from service.engine.log import Entry, crc_of, pack, seq_of
from service.engine.moves import Kind
from service.ports import Claim, Commit, SeatHolder, SessionMeta, Store, StoreUnavailable, Verdict
from service.ports.daily import Day, Run, RunKind

ID: Final = "5e551010" * 4
BEGUN: Final = 1_700_000_000_000
ANN: Final = SeatHolder("ann", "Ann")
BOB: Final = SeatHolder("bob", "Bob")
RUN: Final = Run(Day("2026-11-30", "modern"), RunKind.FIRST, ends=BEGUN + 86_400_000)


def meta(session: str = ID, **told: Any) -> SessionMeta:
    """A session of Ann's that has just begun."""
    begun = SessionMeta(
        id=session,
        rules="parlett",
        deal="pysol:7",
        secret=False,
        spectators=True,
        engine=1,
        created=BEGUN,
        updated=BEGUN,
        status="running",
        is_open=True,
        mode="solo",
        capacity=1,
        invite="",
        seats=(ANN,),
    )
    return replace(begun, **told)


def resignation(log: bytes, time: int = 0) -> bytes:
    """The entry behind a log by which seat 0 resigns; the store asks for no rules."""
    return pack(Entry(Kind.RESIGN, time=time), crc_of(log))


def commit(log: bytes = b"", **told: Any) -> Commit:
    """A commit of Ann's where the session's log is this one."""
    made = Commit(
        session=ID,
        player="ann",
        seat=0,
        at=seq_of(log),
        crc=crc_of(log),
        entry=resignation(log),
        status="running",
        closes=False,
        time=BEGUN + 1000,
    )
    return structs.replace(made, **told)


async def committed(store: Store, commit: Commit) -> Verdict:
    """What becomes of a commit; raises StoreUnavailable."""
    settled: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()

    def settle(verdict: Verdict | StoreUnavailable) -> None:
        if settled.done():
            assert settled.cancelled(), "a commit is settled once"
        elif isinstance(verdict, Verdict):
            settled.set_result(verdict)
        else:
            settled.set_exception(verdict)

    store.sessions.commit(commit, settle)
    assert not settled.done(), "it is settled later"
    return await settled


def claim(session: str = ID, **told: Any) -> Claim:
    """A claim of Ann's without an idempotency key."""
    return replace(Claim(player="ann", session=session, created=BEGUN, key=None, fingerprint="f1"), **told)
