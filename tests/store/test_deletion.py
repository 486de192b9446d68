"""What is left of a player whose deletion broke off: the server refuses some keys, at each step in turn."""

import contextlib
from collections.abc import AsyncIterator, Iterator

import pytest

from service.app import SystemChance, SystemClock
from service.ports import SeatHolder, StoreUnavailable
from service.store.redis.store import RedisStore
from service.usecases.errors import Unauthorised
from service.usecases.players import Players
from tests.servers import Server
from tests.store.sessions import ID, claim, meta
from tests.store.waiting import opened

TOKEN = "bc:{t:*"
STEPS = ["bc:{s:*", "bc:{p:*}:sessions", "bc:{r:*", "bc:{p:*}"]
"""The keys of each step, in order, up to the one that ends the player."""
OTHERS = [TOKEN, "bc:{p:*}:tokens", "bc:{p:*}:following", "bc:{p:*}:days:*"]


@contextlib.contextmanager
def read_only(server: Server, keys: str) -> Iterator[None]:
    """Until the end of the context nobody can write these keys."""
    writable = [f"~{others}" for others in (*STEPS, *OTHERS) if others != keys]
    server.control.execute_command("ACL", "SETUSER", "default", "resetkeys", f"%R~{keys}", *writable)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        server.control.execute_command("ACL", "SETUSER", "default", "allkeys")  # type: ignore[no-untyped-call]


@pytest.fixture
async def store(private_server: Server) -> AsyncIterator[RedisStore]:
    async with opened(private_server.url) as store:
        yield store


@pytest.fixture
def players(store: RedisStore) -> Players:
    return Players(store.players, store.sessions, SystemClock(), SystemChance())


@pytest.mark.parametrize("keys", STEPS)
async def test_whoever_was_cut_off_still_has_a_token_to_go_on_with(
    keys: str, private_server: Server, store: RedisStore, players: Players
) -> None:
    made = await players.create_guest()
    player = await players.by_token(made.token)
    await store.sessions.create(meta(seats=(SeatHolder(player.id, player.name),)))
    await store.sessions.claim(claim(player=player.id))
    await players.follow(player, (await players.create_guest()).id)
    with read_only(private_server, keys), pytest.raises(StoreUnavailable):
        await players.delete(player)

    assert await players.by_token(made.token) == player
    await players.delete(player)
    with pytest.raises(Unauthorised):
        await players.by_token(made.token)
    assert await store.sessions.load(ID) is None
    assert private_server.control.keys(f"*{player.id}*") == []
    assert len(private_server.control.keys("bc:{[rt]:*")) == 2, "the other player's"


async def test_tokens_that_outlive_their_player_are_nobodys(
    private_server: Server, store: RedisStore, players: Players
) -> None:
    made = await players.create_guest()
    player = await players.by_token(made.token)
    with read_only(private_server, TOKEN), pytest.raises(StoreUnavailable):
        await players.delete(player)

    with pytest.raises(Unauthorised):
        await players.by_token(made.token)
    with pytest.raises(Unauthorised):
        await players.recover(made.recovery_code)
    await store.players.remove(player.id)
    assert private_server.control.keys("*") == []
