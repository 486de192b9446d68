"""Players, tokens and tickets, the same in every store."""

import asyncio
from dataclasses import replace

import pytest

from service.ports import Store, StoredPlayer
from tests.store.waiting import until

ANN = StoredPlayer(id="ann", name="Ann", created=1_700_000_000_000, token_digest="aa", recovery_digest="ab")
BOB = StoredPlayer(id="bob", name="Bob", created=1_700_000_000_001, token_digest="ba", recovery_digest="bb")


async def test_a_player_is_found_by_the_token_alone(store: Store) -> None:
    await store.players.add(ANN)
    await store.players.add(BOB)
    assert await store.players.by_token("aa") == ANN
    assert await store.players.by_token("ba") == BOB
    for digest in ("ab", "bb", "ann", "", "AA", "unknown"):
        assert await store.players.by_token(digest) is None


async def test_a_player_added_again_is_the_same_player(store: Store) -> None:
    await store.players.add(ANN)
    await store.players.add(ANN)
    assert await store.players.by_token("aa") == ANN


@pytest.mark.parametrize(
    "odd", ["", "Königin Élisabeth", "конституция", "🂡", "}", "a}:sessions", "x\r\nFLUSHALL\r\n", "\x00"]
)
async def test_odd_ids_and_names_are_kept_and_harmless(store: Store, odd: str) -> None:
    await store.players.add(BOB)
    player = replace(ANN, id=odd, name=odd, token_digest=f"t{odd}", recovery_digest=f"r{odd}")
    await store.players.add(player)
    assert await store.players.by_token(f"t{odd}") == player
    assert await store.players.by_token("ba") == BOB


async def test_a_ticket_names_its_player_once(store: Store) -> None:
    await store.players.add(ANN)
    await store.players.issue_ticket("ta", "ann", 60)
    assert await store.players.by_token("ta") is None
    assert await store.players.redeem_ticket("ta") == ANN
    assert await store.players.redeem_ticket("ta") is None


async def test_of_many_who_redeem_a_ticket_at_once_one_succeeds(store: Store) -> None:
    await store.players.add(ANN)
    await store.players.issue_ticket("ta", "ann", 60)
    answers = await asyncio.gather(*(store.players.redeem_ticket("ta") for _ in range(20)))
    assert answers.count(ANN) == 1
    assert answers.count(None) == 19


async def test_a_token_is_no_ticket(store: Store) -> None:
    await store.players.add(ANN)
    assert await store.players.redeem_ticket("aa") is None
    assert await store.players.by_token("aa") == ANN


async def test_tickets_of_one_player_do_not_stand_in_for_one_another(store: Store) -> None:
    await store.players.add(ANN)
    await store.players.add(BOB)
    for ticket, player in (("t1", "ann"), ("t2", "ann"), ("t3", "bob")):
        await store.players.issue_ticket(ticket, player, 60)
    assert await store.players.redeem_ticket("t3") == BOB
    assert await store.players.redeem_ticket("t2") == ANN
    assert await store.players.redeem_ticket("t1") == ANN


async def test_a_ticket_expires(store: Store) -> None:
    await store.players.add(ANN)
    tickets = [f"t{number}" for number in range(300)]
    await asyncio.gather(*(store.players.issue_ticket(ticket, "ann", 2) for ticket in tickets))
    assert await store.players.redeem_ticket(tickets.pop()) == ANN

    async def expired() -> bool:
        return await store.players.redeem_ticket(tickets.pop()) is None

    await until(expired)


async def test_a_ticket_for_a_player_who_is_not_there_names_nobody(store: Store) -> None:
    await store.players.issue_ticket("ta", "ann", 60)
    assert await store.players.redeem_ticket("ta") is None
