"""The points over whole sessions, and what no message gives away."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.game import Game, replay
from service.engine.log import unpack
from service.engine.notation import parse_deal, parse_rules
from service.engine.score import Points
from service.protocol import messages
from service.usecases.commands import Command, Play, Redo, Restart, Undo
from service.usecases.history import Histories, History
from service.usecases.views import event_view, session_view
from tests.usecases.world import Board, World

COMMANDS = 150


def any_command(game: Game, chance: random.Random) -> Command:
    """A command that is possible: a move three times in four."""
    commands: list[Command] = []
    if game.played:
        commands += [Undo(by_group=True), Undo(by_group=False), Restart()]
    if game.played < len(game.line):
        commands += [Redo(by_group=True), Redo(by_group=False)]
    if game.legal and (not commands or chance.random() < 0.75):
        return Play(chance.choice(game.legal).move)
    return chance.choice(commands)


async def wander(board: Board, world: World, seed: int) -> History:
    """The history of a session in which all sorts of commands were given."""
    chance = random.Random(seed)
    for _ in range(COMMANDS):
        history = await Histories(world.store.sessions, limit=1).fresh(board.id)
        await board.do(any_command(history.game, chance))
    return await Histories(world.store.sessions, limit=1).fresh(board.id)


@pytest.mark.parametrize("rules", ["modern", "cadogan", "cadogan-1914", "pysol"])
async def test_the_points_of_a_session_are_those_of_its_log_replayed(rules: str, world: World) -> None:
    board = await world.dealt(await world.player(), rules=rules)
    history = await wander(board, world, seed=3)
    game = replay(Game.begin(parse_deal("pysol:1"), parse_rules(rules)), unpack(history.log))

    points = board.seen.points
    assert board.seen.seq == COMMANDS == game.seq
    assert Points(points.promoted, points.tempo, points.assists, points.won) == game.points
    assert points.total == max(0, 100 * points.promoted + points.tempo - 50 * points.assists)
    assert points.assists > 0
    assists = [event.points.assists for event in (await board.events(after=0)).events or ()]
    assert assists == sorted(assists)


def other_stock(history: History, order: random.Random) -> History:
    """The same game as far as anybody can see, on a deal whose undealt cards lie in another order."""
    game = history.game
    dealt = len(game.start.stock) - len(game.position.stock)
    unseen = game.start.stock[max(dealt, game.assists.furthest) :]
    shuffled = bytes(order.sample(list(unseen), len(unseen)))

    def swapped(stock: bytes) -> bytes:
        return stock[: len(stock) - len(shuffled)] + shuffled

    start = game.start._replace(stock=swapped(game.start.stock))
    position = game.position._replace(stock=swapped(game.position.stock))
    return History(history.meta, history.log, game._replace(start=start, position=position))


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**6), rules=st.sampled_from(["modern", "cadogan", "pysol"]), secret=st.booleans())
async def test_no_message_tells_how_the_undealt_cards_lie(seed: int, rules: str, secret: bool) -> None:
    world = World()
    board = await world.dealt(await world.player(), "secret" if secret else "pysol:1", rules)
    chance = random.Random(seed)
    for _ in range(seed % 30):
        history = await Histories(world.store.sessions, limit=1).fresh(board.id)
        await board.do(any_command(history.game, chance))
    history = await Histories(world.store.sessions, limit=1).fresh(board.id)
    other = other_stock(history, chance)

    for seat in (0, None):
        told = session_view(history.meta, history.game, seat)
        assert told == session_view(other.meta, other.game, seat)
        events = [event_view(history.meta, turn, seat) for turn in history.turns_from(history.at(0))]
        for message in (told, *events):
            text = messages.encode(message).decode()
            assert not secret or history.meta.deal.removeprefix("seed:") not in text
    assert msgspec.json.decode(messages.encode(board.seen))["deal"] == (None if secret else "pysol:1")
