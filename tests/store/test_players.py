"""Players, what proves who they are, and whom they follow, the same in every store."""

import asyncio
from dataclasses import replace

import pytest

from service.ports import FOLLOWED, TOKENS_KEPT, Following, Store, StoredPlayer
from service.ports.daily import Day, PlayedDay, RunKind
from tests.store.waiting import until

ANN = StoredPlayer(id="ann", name="Ann", created=1_700_000_000_000, recovery_digest="ab")
BOB = StoredPlayer(id="bob", name="Bob", created=1_700_000_000_001, recovery_digest="bb", bot=True)
RUN = PlayedDay("5e551010", RunKind.FIRST, 1_764_460_800_000)


async def test_a_player_is_found_by_the_token_alone(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.add(BOB, "ba")
    assert await store.players.by_token("aa") == ANN
    assert await store.players.by_token("ba") == BOB
    for digest in ("ab", "bb", "ann", "", "AA", "unknown"):
        assert await store.players.by_token(digest) is None


async def test_a_player_added_again_is_the_same_player(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.add(ANN, "aa")
    assert await store.players.by_token("aa") == ANN


@pytest.mark.parametrize(
    "odd", ["", "Königin Élisabeth", "конституция", "🂡", "}", "a}:sessions", "a}:tokens", "x\r\nFLUSHALL\r\n", "\x00"]
)
async def test_odd_ids_and_names_are_kept_and_harmless(store: Store, odd: str) -> None:
    await store.players.add(BOB, "ba")
    player = replace(ANN, id=odd, name=odd, recovery_digest=f"r{odd}")
    await store.players.add(player, f"t{odd}")
    assert await store.players.by_token(f"t{odd}") == player
    assert await store.players.by_recovery(f"r{odd}") == player
    assert await store.players.find(odd) == player
    assert await store.players.names([odd, "bob"]) == {odd: odd, "bob": "Bob"}
    await store.players.remove(odd)
    assert await store.players.find(odd) is None
    assert await store.players.by_token("ba") == BOB


async def test_a_ticket_names_its_player_once(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.issue_ticket("ta", "ann", 60)
    assert await store.players.by_token("ta") is None
    assert await store.players.redeem_ticket("ta") == ANN
    assert await store.players.redeem_ticket("ta") is None


async def test_of_many_who_redeem_a_ticket_at_once_one_succeeds(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.issue_ticket("ta", "ann", 60)
    answers = await asyncio.gather(*(store.players.redeem_ticket("ta") for _ in range(20)))
    assert answers.count(ANN) == 1
    assert answers.count(None) == 19


async def test_a_token_is_no_ticket(store: Store) -> None:
    await store.players.add(ANN, "aa")
    assert await store.players.redeem_ticket("aa") is None
    assert await store.players.by_token("aa") == ANN


async def test_tickets_of_one_player_do_not_stand_in_for_one_another(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.add(BOB, "ba")
    for ticket, player in (("t1", "ann"), ("t2", "ann"), ("t3", "bob")):
        await store.players.issue_ticket(ticket, player, 60)
    assert await store.players.redeem_ticket("t3") == BOB
    assert await store.players.redeem_ticket("t2") == ANN
    assert await store.players.redeem_ticket("t1") == ANN


async def test_a_ticket_expires(store: Store) -> None:
    await store.players.add(ANN, "aa")
    tickets = [f"t{number}" for number in range(300)]
    await asyncio.gather(*(store.players.issue_ticket(ticket, "ann", 2) for ticket in tickets))
    assert await store.players.redeem_ticket(tickets.pop()) == ANN

    async def expired() -> bool:
        return await store.players.redeem_ticket(tickets.pop()) is None

    await until(expired)


async def test_a_ticket_for_a_player_who_is_not_there_names_nobody(store: Store) -> None:
    await store.players.issue_ticket("ta", "ann", 60)
    assert await store.players.redeem_ticket("ta") is None


async def test_a_player_is_found_by_the_recovery_code_alone(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.add(BOB, "ba")

    assert await store.players.by_recovery("ab") == ANN
    assert await store.players.by_recovery("bb") == BOB
    for digest in ("aa", "ann", "", "AB"):
        assert await store.players.by_recovery(digest) is None


async def test_a_new_recovery_code_is_in_the_place_of_the_old(store: Store) -> None:
    await store.players.add(ANN, "aa")
    assert await store.players.give_recovery("ann", "ac")

    anew = replace(ANN, recovery_digest="ac")
    assert await store.players.by_recovery("ac") == anew
    assert await store.players.by_recovery("ab") is None
    assert await store.players.by_token("aa") == anew


async def test_all_tokens_of_a_player_are_good_and_above_a_number_the_oldest_are_void(store: Store) -> None:
    await store.players.add(ANN, "aa")
    given = [f"t{number:02}" for number in range(TOKENS_KEPT + 1)]
    for number, digest in enumerate(given[:-2]):
        assert await store.players.give_token("ann", digest, ANN.created + number + 1)
    assert {await store.players.by_token(digest) for digest in ("aa", *given[:-2])} == {ANN}

    for number, digest in enumerate(given[-2:]):
        assert await store.players.give_token("ann", digest, ANN.created + 100 + number)
    assert [await store.players.by_token(digest) for digest in ("aa", given[0])] == [None, None]
    assert {await store.players.by_token(digest) for digest in given[1:]} == {ANN}


async def test_a_player_has_another_name_wherever_it_is_looked_up(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.add(BOB, "ba")
    assert await store.players.rename("ann", "Königin Élisabeth")

    assert await store.players.by_token("aa") == replace(ANN, name="Königin Élisabeth")
    assert await store.players.find("bob") == BOB
    assert await store.players.names(["bob", "nobody", "ann"]) == {"bob": "Bob", "ann": "Königin Élisabeth"}
    assert await store.players.names([]) == {}


async def test_a_player_who_is_not_there_gets_nothing(store: Store) -> None:
    assert await store.players.rename("ann", "Ann") is False
    assert await store.players.give_token("ann", "aa", 0) is False
    assert await store.players.give_recovery("ann", "ab") is False
    assert await store.players.follow("ann", "bob", 0) is Following.GONE
    await store.players.unfollow("ann", "bob")
    await store.players.remove("ann")

    assert await store.players.find("ann") is None
    assert await store.players.by_token("aa") is None
    assert await store.players.by_recovery("ab") is None
    assert await store.players.following("ann") == []


async def test_nothing_is_left_of_a_player_who_is_removed_and_others_keep_all(store: Store) -> None:
    await store.players.add(ANN, "aa")
    await store.players.give_token("ann", "ac", ANN.created + 1)
    await store.players.add(BOB, "ba")
    await store.players.follow("ann", "bob", 1)
    await store.players.follow("bob", "ann", 1)
    await store.players.issue_ticket("ta", "ann", 60)
    day = Day("2026-11-30", "modern")
    for player in ("ann", "bob"):
        await store.records.begin(player, day, RUN)
    for _ in range(2):
        await store.players.remove("ann")

    assert [await store.records.dates(player) for player in ("ann", "bob")] == [set(), {day.date}]
    assert [await store.players.by_token(digest) for digest in ("aa", "ac", "ba")] == [None, None, BOB]
    assert [await store.players.by_recovery(digest) for digest in ("ab", "bb")] == [None, BOB]
    assert await store.players.redeem_ticket("ta") is None
    assert await store.players.names(["ann", "bob"]) == {"bob": "Bob"}
    assert await store.players.following("ann") == []
    assert await store.players.following("bob") == ["ann"]


async def test_whom_a_player_follows_is_told_newest_first(store: Store) -> None:
    await store.players.add(ANN, "aa")
    for time, other in enumerate(("bob", "eve", "bob", "zoe")):
        assert await store.players.follow("ann", other, time) is Following.FOLLOWED
    assert await store.players.following("ann") == ["zoe", "eve", "bob"]

    for _ in range(2):
        await store.players.unfollow("ann", "eve")
    assert await store.players.following("ann") == ["zoe", "bob"]
    assert await store.players.following("bob") == []


async def test_there_is_an_end_to_following(store: Store) -> None:
    await store.players.add(ANN, "aa")
    others = [f"p{number}" for number in range(FOLLOWED)]
    made = await asyncio.gather(*(store.players.follow("ann", other, 1) for other in others))
    assert set(made) == {Following.FOLLOWED}

    assert await store.players.follow("ann", "one more", 2) is Following.FULL
    assert await store.players.follow("ann", "p7", 2) is Following.FOLLOWED
    assert sorted(await store.players.following("ann")) == sorted(others)
    await store.players.unfollow("ann", "p7")
    assert await store.players.follow("ann", "one more", 3) is Following.FOLLOWED
