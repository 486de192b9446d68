"""Joining and leaving, the same in every store."""

import asyncio
from typing import Any

import pytest

from service.ports import SeatHolder, Seating, SessionMeta, Store, StoredSession, Verdict
from service.store.redis import keys
from service.store.redis.store import RedisStore
from tests.servers import Server
from tests.store.sessions import ANN, BOB, ID, commit, committed, meta, resignation
from tests.store.waiting import listening

CAT = SeatHolder("cat", "Cat")
DAN = SeatHolder("dan", "Dan")
ONE_ENTRY = resignation(b"")


def shared(**told: Any) -> SessionMeta:
    """A session of Ann's with room for two more, who have been told the code."""
    begun: dict[str, Any] = {"mode": "turns", "capacity": 3, "invite": "code"}
    return meta(**begun | told)


async def seats(store: Store) -> tuple[SeatHolder | None, ...]:
    found = await store.sessions.load(ID)
    assert found is not None
    return found.meta.seats


async def test_players_take_the_seats_in_order_until_there_are_no_more(store: Store) -> None:
    await store.sessions.create(shared())
    assert await store.sessions.join(ID, BOB, "code") is Seating.SEATED
    assert await store.sessions.join(ID, CAT, "code") is Seating.SEATED
    assert await store.sessions.join(ID, DAN, "code") is Seating.FULL
    assert await store.sessions.load(ID) == StoredSession(shared(seats=(ANN, BOB, CAT)), b"")


async def test_a_seat_whose_holder_has_left_is_nobodys_until_the_next_one_takes_it(store: Store) -> None:
    await store.sessions.create(shared(seats=(ANN, BOB)))
    assert await store.sessions.leave(ID, "bob") is True
    assert await seats(store) == (ANN, None)
    assert await store.sessions.leave(ID, "ann") is True
    assert await seats(store) == (None, None)
    assert await store.sessions.join(ID, CAT, "code") is Seating.SEATED
    assert await seats(store) == (CAT, None)
    assert await store.sessions.join(ID, BOB, "code") is Seating.SEATED
    assert await store.sessions.join(ID, ANN, "code") is Seating.SEATED
    assert await seats(store) == (CAT, BOB, ANN)


async def test_a_session_may_begin_with_a_seat_that_nobody_holds(store: Store) -> None:
    await store.sessions.create(shared(seats=(None, ANN)))
    assert await seats(store) == (None, ANN)
    assert await store.sessions.join(ID, BOB, "code") is Seating.SEATED
    assert await seats(store) == (BOB, ANN)


REFUSED: dict[str, tuple[dict[str, Any], SeatHolder, str, Seating]] = {
    "has a seat": ({}, ANN, "code", Seating.ALREADY),
    "has a seat, under another name, with another code": ({}, SeatHolder("ann", "Eve"), "?", Seating.ALREADY),
    "has the last seat": ({"seats": (ANN, BOB, CAT)}, CAT, "code", Seating.ALREADY),
    "has a seat, and closed": ({"is_open": False}, ANN, "code", Seating.ALREADY),
    "another code": ({}, BOB, "Code", Seating.WRONG_INVITE),
    "no code": ({}, BOB, "", Seating.WRONG_INVITE),
    "no code where there is none": ({"invite": ""}, BOB, "", Seating.WRONG_INVITE),
    "another code, and full": ({"seats": (ANN, DAN, CAT)}, BOB, "?", Seating.WRONG_INVITE),
    "another code, and closed": ({"is_open": False}, BOB, "?", Seating.WRONG_INVITE),
    "closed": ({"is_open": False}, BOB, "code", Seating.CLOSED),
    "closed, and full": ({"is_open": False, "capacity": 1}, BOB, "code", Seating.CLOSED),
    "full": ({"capacity": 1}, BOB, "code", Seating.FULL),
    "no such session": ({"session": "0" * 32}, BOB, "code", Seating.GONE),
}


@pytest.mark.parametrize(("told", "holder", "invite", "answer"), REFUSED.values(), ids=REFUSED)
async def test_a_wish_for_a_seat_is_refused_and_nothing_changes(
    store: Store, told: dict[str, Any], holder: SeatHolder, invite: str, answer: Seating
) -> None:
    await store.sessions.create(shared(**told))
    before = await store.sessions.load(ID)
    assert await store.sessions.join(ID, holder, invite) is answer
    assert await store.sessions.load(ID) == before


async def test_who_has_no_seat_cannot_leave_one(store: Store) -> None:
    assert await store.sessions.leave(ID, "ann") is False
    await store.sessions.create(shared(seats=(ANN, BOB)))
    assert await store.sessions.leave(ID, "cat") is False
    assert await store.sessions.leave(ID, "bob") is True
    assert await store.sessions.leave(ID, "bob") is False
    assert await seats(store) == (ANN, None)


async def test_of_many_who_want_the_last_seat_one_gets_it(store: Store) -> None:
    await store.sessions.create(shared(seats=(ANN, BOB)))
    many = [SeatHolder(f"p{number}", f"P{number}") for number in range(20)]
    answers = await asyncio.gather(*(store.sessions.join(ID, one, "code") for one in many))
    assert sorted(answer.value for answer in answers) == ["full"] * 19 + ["seated"]
    assert await seats(store) == (ANN, BOB, many[answers.index(Seating.SEATED)])


async def test_the_log_is_played_on_by_whoever_holds_the_seat(store: Store) -> None:
    await store.sessions.create(shared(seats=(ANN, BOB)))
    assert await committed(store, commit(seat=1, player="bob")) is Verdict.COMMITTED
    before = await store.sessions.load(ID)
    assert await store.sessions.leave(ID, "bob") is True
    assert await committed(store, commit(ONE_ENTRY, seat=1, player="bob")) is Verdict.NOT_YOUR_SEAT
    assert await committed(store, commit(ONE_ENTRY, seat=1, player="")) is Verdict.NOT_YOUR_SEAT
    assert await store.sessions.join(ID, CAT, "code") is Seating.SEATED
    after = await store.sessions.load(ID)
    assert before
    assert after
    assert (after.log, after.meta.updated) == (ONE_ENTRY, before.meta.updated)
    assert await committed(store, commit(ONE_ENTRY, seat=1, player="bob")) is Verdict.NOT_YOUR_SEAT
    assert await committed(store, commit(ONE_ENTRY, seat=1, player="cat")) is Verdict.COMMITTED


async def test_joining_and_leaving_ring_and_a_refusal_does_not(store: Store) -> None:
    await store.sessions.create(shared())
    async with listening(store.doorbells) as ear:
        store.doorbells.subscribe(ID)
        assert await ear.next() == [ID]
        await store.sessions.join(ID, BOB, "?")
        await store.sessions.join(ID, BOB, "code")
        await store.sessions.leave(ID, "cat")
        await store.sessions.leave(ID, "bob")
        assert await ear.next(2) == [ID, ID]
        store.doorbells.subscribe("c" * 32)
        assert await ear.next() == ["c" * 32]


async def test_odd_players_names_and_codes_are_taken_as_they_are(store: Store) -> None:
    odd = ["}", "x\r\nFLUSHALL\r\n", "\x00", "Élisabeth"]
    for word in odd:
        await store.sessions.create(shared(session=word, invite=word))
        assert await store.sessions.join(word, SeatHolder(word, word), word) is Seating.SEATED
        found = await store.sessions.load(word)
        assert found
        assert found.meta == shared(session=word, invite=word, seats=(ANN, SeatHolder(word, word)))
        assert await store.sessions.leave(word, word) is True


async def test_joining_and_leaving_put_off_the_time_at_which_both_keys_expire(redis_server: Server) -> None:
    control, store = redis_server.control, RedisStore(redis_server.url, 3_600_000)
    both = keys.session_meta(ID), keys.session_log(ID)
    await store.sessions.create(shared())
    await committed(store, commit())
    for change in (store.sessions.join(ID, BOB, "code"), store.sessions.leave(ID, "bob")):
        for key in both:
            control.pexpire(key, 1000)
        await change
        assert control.pexpiretime(both[0]) == control.pexpiretime(both[1])
        assert 3_590_000 < control.pttl(both[0]) <= 3_600_000
    await store.close()


async def test_a_store_that_keeps_for_ever_keeps_who_joined_and_left(redis_server: Server) -> None:
    control, passing, eternal = (
        redis_server.control,
        RedisStore(redis_server.url, 3_600_000),
        RedisStore(redis_server.url, 0),
    )
    both = keys.session_meta(ID), keys.session_log(ID)
    await passing.sessions.create(shared())
    await committed(passing, commit())
    for change in (eternal.sessions.join(ID, BOB, "code"), eternal.sessions.leave(ID, "bob")):
        for key in both:
            control.pexpire(key, 60_000)
        await change
        assert [control.pttl(key) for key in both] == [-1, -1]
    await passing.close()
    await eternal.close()
