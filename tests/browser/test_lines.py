"""A won game of each preset, played to the end with every kind of hand; of each, another browser watches one."""

import re
from itertools import product

import pytest

from service.engine import Kind, Position
from service.engine.cards import CARD_NAMES
from service.engine.notation import parse_move
from tests.browser.conftest import Visit
from tests.browser.hands import Hand, Keys, Mouse, Touch, Wish, Writing, top_of
from tests.browser.names import card_name, place_name
from tests.browser.table import at_table, watching
from tests.browser.town import events_of, seen
from tests.engine.games import Win, win
from tests.live.client import Guest, Message

WINS = [
    win("modern", "pysol:9"),  # 15 laterals
    win("cadogan", "pysol:61"),  # 9 turns, 8 builds on the People
    win("cadogan-1914", "pysol:47"),  # 20 turns
    win("pysol", "pysol:138"),  # 6 turns, 8 builds on the People
]
HANDS: list[Hand] = [Mouse(), Touch(), Keys()]
GAMES: list[tuple[Win, Hand]] = [*product(WINS, HANDS), (WINS[1], Writing())]
LAST_WORDS = "The game is won!"


@pytest.mark.parametrize(
    ("won", "hand"), GAMES, ids=lambda given: given.preset if isinstance(given, Win) else type(given).__name__.lower()
)
async def test_it_is_won_and_whoever_watches_sees_every_move(won: Win, hand: Hand, visit: Visit, player: Guest) -> None:
    session = await player.deal(won.deal, rules=won.preset)
    table = await at_table(await visit(player, **hand.profile), session)
    seats = [await watching(await visit(reduced_motion="reduce"), session)] if isinstance(hand, Mouse) else []

    for seq, (position, move, _) in enumerate(won.play.steps, 1):
        await hand.play(table, Wish.of(position, move, won.rules))
        await table.reach(seq)

    final = await seen(player, session)
    assert (final["status"], final["points"]["total"]) == ("won", won.points)
    await table.must_show(final)
    for seat in seats:
        await seat.must_show(final)
        assert await seat.seqs() == list(range(len(won.moves) + 1))
    await table.hear(LAST_WORDS)
    told = moves_told(await table.said())
    for (position, move, _), event, text in zip(won.play.steps, await events_of(player, session), told, strict=True):
        must_tell(text, Wish.of(position, move, won.rules), position, event)


def moves_told(said: list[str]) -> list[str]:
    """What was told of each move: those that follow one another fast are spoken together."""
    told: list[str] = []
    for sentence in re.split(r"(?<=[.!]) ", " ".join(said)):
        if re.search(r" from .* (to|fills) ", sentence) or sentence.startswith("Turned up:"):
            told.append(sentence)
        elif told and not re.search(r" picked up\.$| to go\.$", sentence):
            told[-1] += f" {sentence}"
    return told


def must_tell(text: str, wish: Wish, position: Position, event: Message) -> None:
    """Fails unless a text names the card that moved, where it went, what was turned up and what is to be filled."""
    move = parse_move(wish.move)
    named = [card_name(CARD_NAMES[top_of(position, move.source)])]
    named += [card_name(card) for _, card in event["revealed"]]
    named += [place_name(place) for place in (wish.target, event["must_fill"]) if place and wish.kind is not Kind.TURN]
    assert [name for name in named if name.lower() not in text.lower()] == [], text
