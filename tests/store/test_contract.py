"""What every store does with sessions: in memory, in Valkey and in the oldest Redis."""

import asyncio
from typing import Any

import pytest

from service.ports import PLANS_KEPT, SessionMeta, Store, StoredSession, Verdict
from tests.store.sessions import ANN, BEGUN, BOB, ID, RUN, claim, commit, committed, meta, resignation

ODD = [
    "",
    " ",
    "a:b c",
    "{",
    "}",
    "{}",
    "a}:log",
    "a}:meta",
    "*",
    "x\r\nFLUSHALL\r\n",
    "\x00",
    "a\\",
    '"',
    "Königin Élisabeth",
    "конституция",
    "🂡",
]
ONE_ENTRY = resignation(b"")
TWO_ENTRIES = ONE_ENTRY + resignation(ONE_ENTRY)


async def stored(store: Store, log: bytes = b"", is_open: bool = True, **told: Any) -> None:
    """Has the store hold a session with this log, closed by the last of its entries or open."""
    assert await store.sessions.create(meta(**told))
    for end in range(0, len(log), 10):
        closes = not is_open and end + 10 == len(log)
        assert await committed(store, commit(log[:end], closes=closes)) is Verdict.COMMITTED


async def test_a_store_that_is_there_passes_its_check(store: Store) -> None:
    await store.check()


async def test_a_claim_without_a_key_is_its_own_answer_however_often_it_is_made(store: Store) -> None:
    for session in (ID, "b" * 32, ID):
        assert await store.sessions.claim(claim(session)) == claim(session)


async def test_the_first_claim_under_a_key_stands(store: Store) -> None:
    first = claim(key="k")
    assert await store.sessions.claim(first) == first
    assert await store.sessions.claim(claim("b" * 32, key="k", created=BEGUN + 1)) == first
    assert await store.sessions.claim(claim("c" * 32, key="k", fingerprint="f2")) == first


async def test_of_many_claims_under_a_key_at_once_one_stands(store: Store) -> None:
    claims = [claim(f"{number:032x}", key="k") for number in range(20)]
    answers = await asyncio.gather(*map(store.sessions.claim, claims))
    assert answers[0] in claims
    assert answers == [answers[0]] * 20


async def test_a_key_is_the_players_own(store: Store) -> None:
    anns, bobs = claim(key="k"), claim("b" * 32, key="k", player="bob")
    assert await store.sessions.claim(anns) == anns
    assert await store.sessions.claim(bobs) == bobs


async def test_another_key_is_another_claim(store: Store) -> None:
    one, two = claim(key="k"), claim("b" * 32, key="K")
    assert await store.sessions.claim(one) == one
    assert await store.sessions.claim(two) == two


@pytest.mark.parametrize(
    "session",
    [
        meta(),
        meta(secret=True, spectators=False, is_open=False, status="won", deal="seed:00", rules="tidy", engine=0),
        meta(seats=(ANN, BOB), updated=BEGUN + 5),
        meta(seats=tuple([ANN, BOB] * 8)),
        meta(seats=()),
        meta(run=RUN, secret=True, spectators=False),
    ],
)
async def test_a_session_is_read_as_it_was_created(store: Store, session: SessionMeta) -> None:
    assert await store.sessions.load(ID) is None
    assert await store.sessions.create(session) is True
    assert await store.sessions.load(ID) == StoredSession(session, b"")


async def test_an_id_that_is_taken_stays_with_the_first_session(store: Store) -> None:
    await stored(store, ONE_ENTRY)
    before = await store.sessions.load(ID)
    assert await store.sessions.create(meta(rules="tidy")) is False
    assert await store.sessions.load(ID) == before


async def test_a_session_is_created_once_by_many_at_once(store: Store) -> None:
    created = await asyncio.gather(*(store.sessions.create(meta(created=time)) for time in range(20)))
    assert sorted(created) == [False] * 19 + [True]
    assert await store.sessions.load(ID) == StoredSession(meta(created=created.index(True)), b"")


async def test_a_commit_appends_its_entry_and_brings_the_session_up_to_date(store: Store) -> None:
    await stored(store)
    first = commit(status="stuck", time=BEGUN + 7)
    assert await committed(store, first) is Verdict.COMMITTED
    assert await store.sessions.load(ID) == StoredSession(meta(status="stuck", updated=BEGUN + 7), ONE_ENTRY)

    last = commit(ONE_ENTRY, status="lost", closes=True, time=BEGUN + 9)
    assert await committed(store, last) is Verdict.COMMITTED
    closed = meta(status="lost", updated=BEGUN + 9, is_open=False)
    assert await store.sessions.load(ID) == StoredSession(closed, TWO_ENTRIES)


async def test_an_entry_may_be_any_bytes(store: Store) -> None:
    await stored(store)
    assert await committed(store, commit(entry=b"\x00\r\n\xff{}$6\\\x00")) is Verdict.COMMITTED
    found = await store.sessions.load(ID)
    assert found is not None
    assert found.log == b"\x00\r\n\xff{}$6\\\x00"


async def test_each_seat_takes_the_commits_of_its_holder(store: Store) -> None:
    await stored(store, seats=(ANN, BOB))
    assert await committed(store, commit(seat=1, player="ann")) is Verdict.NOT_YOUR_SEAT
    assert await committed(store, commit(seat=1, player="bob")) is Verdict.COMMITTED
    assert await committed(store, commit(ONE_ENTRY, seat=0, player="bob")) is Verdict.NOT_YOUR_SEAT
    assert await committed(store, commit(ONE_ENTRY, seat=0, player="ann")) is Verdict.COMMITTED


REFUSED = {
    "a log that is empty": (b"", True, {"at": 1, "crc": 7}, Verdict.STALE),
    "a log that is longer": (TWO_ENTRIES, True, {"at": 1}, Verdict.STALE),
    "a log that is shorter": (ONE_ENTRY, True, {"at": 2}, Verdict.STALE),
    "a log that has begun": (ONE_ENTRY, True, {"at": 0, "crc": 0}, Verdict.STALE),
    "another checksum": (ONE_ENTRY, True, {"crc": 7}, Verdict.STALE),
    "no checksum": (ONE_ENTRY, True, {"crc": 0}, Verdict.STALE),
    "a checksum of an empty log": (b"", True, {"crc": 7}, Verdict.STALE),
    "a log that is closed": (ONE_ENTRY, False, {}, Verdict.CLOSED),
    "a closed log, but another place": (ONE_ENTRY, False, {"at": 0, "crc": 0}, Verdict.STALE),
    "a seat of somebody else": (ONE_ENTRY, True, {"player": "bob"}, Verdict.NOT_YOUR_SEAT),
    "a seat that is not there": (ONE_ENTRY, True, {"seat": 1}, Verdict.NOT_YOUR_SEAT),
    "a nameless seat that is not there": (ONE_ENTRY, True, {"seat": 15, "player": ""}, Verdict.NOT_YOUR_SEAT),
    "somebody else's seat, at another place": (ONE_ENTRY, True, {"player": "bob", "crc": 7}, Verdict.NOT_YOUR_SEAT),
    "somebody else's seat, and closed": (ONE_ENTRY, False, {"player": "bob"}, Verdict.NOT_YOUR_SEAT),
    "no such session": (ONE_ENTRY, True, {"session": "0" * 32}, Verdict.GONE),
    "no such session, nor seat": (ONE_ENTRY, False, {"session": "0" * 32, "player": "bob", "crc": 7}, Verdict.GONE),
}


@pytest.mark.parametrize(("log", "is_open", "told", "verdict"), REFUSED.values(), ids=REFUSED)
async def test_a_commit_is_refused_and_nothing_changes(
    store: Store, log: bytes, is_open: bool, told: dict[str, Any], verdict: Verdict
) -> None:
    await stored(store, log, is_open)
    before = await store.sessions.load(ID)
    assert await committed(store, commit(log, status="won", time=BEGUN + 9, **told)) is verdict
    assert await store.sessions.load(ID) == before
    assert await store.sessions.load("0" * 32) is None


async def test_of_fifty_commits_at_one_place_exactly_one_is_appended(store: Store) -> None:
    await stored(store, ONE_ENTRY)
    commits = [commit(ONE_ENTRY, entry=resignation(ONE_ENTRY, time), time=BEGUN + time) for time in range(50)]
    verdicts = await asyncio.gather(*(committed(store, one) for one in commits))
    assert sorted(verdict.value for verdict in verdicts) == ["committed"] + ["stale"] * 49
    winner = commits[verdicts.index(Verdict.COMMITTED)]
    assert await store.sessions.load(ID) == StoredSession(meta(updated=winner.time), ONE_ENTRY + winner.entry)


async def test_any_number_of_calls_at_once_are_all_answered(store: Store) -> None:
    sessions = [f"{number:032x}" for number in range(300)]
    assert await asyncio.gather(*(store.sessions.create(meta(session)) for session in sessions)) == [True] * 300
    verdicts = await asyncio.gather(*(committed(store, commit(session=session)) for session in sessions))
    assert verdicts == [Verdict.COMMITTED] * 300


async def test_odd_ids_and_names_are_kept_apart_and_harmless(store: Store) -> None:
    sessions = [meta(odd, deal=odd, status=odd, seats=(ANN, type(ANN)(odd, odd))) for odd in ODD]
    for session in sessions:
        assert await store.sessions.create(session) is True
    for odd in ODD[::2]:
        made = commit(session=odd, seat=1, player=odd, status=odd)
        assert await committed(store, made) is Verdict.COMMITTED
    for number, session in enumerate(sessions):
        found = await store.sessions.load(session.id)
        assert found is not None
        assert (found.meta.seats, found.meta.deal, found.meta.status) == (session.seats, session.id, session.id)
        assert found.log == (b"" if number % 2 else ONE_ENTRY)


async def test_odd_keys_are_kept_apart_and_harmless(store: Store) -> None:
    claims = [claim(f"{number:032x}", player=odd, key=key) for number, odd in enumerate(ODD) for key in ODD]
    assert [await store.sessions.claim(one) for one in claims] == claims
    again = [claim("f" * 32, player=odd, key=key) for odd in ODD for key in ODD]
    assert [await store.sessions.claim(one) for one in again] == claims


async def test_a_commit_is_carried_out_when_whoever_asked_goes_away(store: Store) -> None:
    await store.sessions.create(meta())
    asking = asyncio.create_task(committed(store, commit()))
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait([asking])

    async with asyncio.timeout(5):
        stored = await store.sessions.load(ID)
        while not (stored and stored.log):
            stored = await store.sessions.load(ID)
    assert stored.log == commit().entry


async def test_plans_are_kept_of_each_session_oldest_first(store: Store) -> None:
    for session in (ID, "b" * 32):
        await store.sessions.create(meta(session))
    assert await store.sessions.plans(ID) == []
    for session, plan in ((ID, "b1G a2b1"), ("b" * 32, "c1G"), (ID, "b1G")):
        await store.sessions.keep_plan(session, plan)
    assert await store.sessions.plans(ID) == ["b1G a2b1", "b1G"]
    assert await store.sessions.plans("b" * 32) == ["c1G"]


async def test_of_many_plans_the_newest_are_kept(store: Store) -> None:
    await store.sessions.create(meta())
    for number in range(PLANS_KEPT + 3):
        await store.sessions.keep_plan(ID, str(number))
    assert await store.sessions.plans(ID) == [str(number) for number in range(3, PLANS_KEPT + 3)]
