"""Stuck is exact: the judgement, which searches nothing, against a search of all that idle laterals reach."""

import random

import pytest

from service.engine.cards import ALL_CARDS, Suit, card_of, may_build, rank_of
from service.engine.moves import Status, legal_moves, status, transfer
from service.engine.piles import COLUMNS
from service.engine.position import Position, canonical
from service.engine.rules import PRESETS

MODERN = PRESETS["modern"]
SEARCHED = 500
"""Positions after which a search is given up; such boards are left out."""


def a_privy_council(chance: random.Random) -> Position:
    """Eight runs of two packs, long ones mostly, with nothing below and a few cards promoted."""
    left = {card: 2 for card in ALL_CARDS if rank_of(card) > 1}
    piles = []
    for _ in range(COLUMNS):
        pile: list[int] = []
        fitting = [card for card in left if left[card]]
        while fitting and (not pile or chance.random() < 0.9):
            card = chance.choice(fitting)
            left[card] -= 1
            pile.append(card)
            fitting = [card for card in left if left[card] and may_build(card, pile[-1])]
        piles.append(pile)
    ranks = [sorted((chance.randint(1, 4), chance.randint(1, 4)), reverse=True) for _ in Suit]
    foundations = bytes(card_of(rank, suit) for suit in Suit for rank in ranks[suit])
    tops = bytes(pile[-1] for pile in piles) + bytes(3 * COLUMNS)
    under = (*(bytes(pile[:-1]) for pile in piles), *[b""] * (3 * COLUMNS))
    return Position(tops, under, foundations, b"", b"")


def searched(position: Position) -> Status | None:
    """What following every idle lateral finds; None where there are too many positions."""
    seen = {canonical(position)}
    waiting = [position]
    while waiting:
        here = waiting.pop()
        for source, target in (moves := legal_moves(here, MODERN)):
            if target >= COLUMNS or not here.under[source]:
                return Status.PLAYING
        for move in moves:
            there = transfer(here, move, MODERN)
            if canonical(there) not in seen:
                seen.add(canonical(there))
                waiting.append(there)
        if len(seen) > SEARCHED:
            return None
    return Status.STUCK


@pytest.mark.parametrize("seed", range(3))
def test_a_board_is_stuck_exactly_when_idle_laterals_lead_to_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    found = {Status.PLAYING: 0, Status.STUCK: 0}
    for _ in range(2000):
        position = a_privy_council(chance)
        if any(card - 4 in position.foundations for card in position.row(0)):
            continue
        if (expected := searched(position)) is not None:
            assert status(position, MODERN) is expected
            found[expected] += 1

    assert min(found.values()) > 10
