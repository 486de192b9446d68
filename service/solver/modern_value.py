"""How good a state of the reduced game looks: a weighted sum of what can be counted in it."""

from functools import cache
from typing import Final, NamedTuple

from service.engine.cards import JACK, RANK, Cards
from service.solver.modern_game import GREEDY, Mask, Pile, Root, State, takes, traits_of

_FAR: Final = 6
"""Steps, or builds, beyond which more make no difference."""
_DEEP: Final = 4


class Weights(NamedTuple):
    """What each thing counted is worth. `need`: steps until a foundation of its suit can take a card.

    promoted:   cards in the Government
    lower:      ranks of the lower foundations
    top_need:   need of tops, at most _FAR
    top_fits:   tops that can be promoted
    builds:     different cards of the pool that fit a top, at most _FAR
    any_build:  whether there is one
    covered:    cards below others
    inverted:   for each of them how much sooner it is needed than the last above it, at most _DEEP
    in_pool, under, unreleased:   next cards of a foundation, by where the nearest copy is, if it is no top
    away:       draws until those unreleased are released
    after_next: cards after a next one that are tops or in the pool
    hosts:      different families among the tops
    doubles:    tops of a family that another has
    singles:    piles of one card
    top_rank:   ranks of the tops
    """

    promoted: float
    lower: float
    top_need: float
    top_fits: float
    builds: float
    any_build: float
    covered: float
    inverted: float
    in_pool: float
    under: float
    unreleased: float
    away: float
    after_next: float
    hosts: float
    doubles: float
    singles: float
    top_rank: float


PLAIN: Final = Weights(
    promoted=1.0, lower=0.3, top_need=-0.1, top_fits=0.3, builds=0.2, any_build=0.1, covered=0.0, inverted=-0.3,
    in_pool=-0.3, under=-0.3, unreleased=-0.6, away=-0.03, after_next=0.3, hosts=0.1, doubles=-0.1, singles=0.0,
    top_rank=0.0,
)  # fmt: skip
"""Weights by common sense."""
TUNED: Final = Weights(
    promoted=0.056, lower=0.3532, top_need=-0.0132, top_fits=0.3682, builds=0.1594, any_build=0.0441, covered=-0.1852,
    inverted=0.0213, in_pool=-0.6754, under=-0.0061, unreleased=-0.3771, away=-0.0398, after_next=0.634, hosts=0.1854,
    doubles=-0.1115, singles=0.1857, top_rank=0.0479,
)  # fmt: skip
"""Weights that won the most deals with the narrowest greedy search, found by an evolution strategy."""


@cache
def _needs(higher: int, lower: int) -> bytes:
    """For each rank how many cards of its suit go first on a foundation, where the suit's two show these ranks."""
    return bytes(max(0, rank - (higher if rank > higher else lower) - 1) for rank in range(JACK + 1))


class _Government(dict[Pile, tuple[float, Mask, Mask, Mask, int]]):
    """While the foundations stand like this, for each pile its worth and its traits, worked out once."""

    def __init__(self, foundations: Cards, weights: Weights) -> None:
        ranks = foundations.translate(RANK)
        self._weights = weights
        self._needs = [_needs(*ranks[suit : suit + 2]) for suit in range(0, len(ranks), 2)]
        self.next = takes(foundations)[GREEDY]
        self.worth = weights.promoted * sum(ranks) + weights.lower * sum(ranks[1::2])

    def __missing__(self, pile: Pile) -> tuple[float, Mask, Mask, Mask, int]:
        weights, needs = self._weights, self._needs
        top = pile[-1]
        most = needs[top & 3][top >> 2]
        worth = weights.top_rank * (top >> 2)
        worth += weights.top_need * min(most, _FAR) if most else weights.top_fits
        if len(pile) == 1:
            worth += weights.singles
        else:
            worth += weights.covered * (len(pile) - 1)
            for card in pile[-2::-1]:
                need = needs[card & 3][card >> 2]
                if need < most:
                    worth += weights.inverted * min(most - need, _DEEP)
                else:
                    most = need
        seen = self[pile] = (worth, *traits_of(pile))
        return seen


class Values(dict[Cards, _Government]):
    """The worth of the states of one reduced game by some weights."""

    def __init__(self, root: Root, weights: Weights) -> None:
        self._released, self._weights = root.released, weights

    def __missing__(self, foundations: Cards) -> _Government:
        government = self[foundations] = _Government(foundations, self._weights)
        return government

    def waits(self, draws: int) -> dict[Mask, float]:
        """What it is worth after so many draws that a next card is not released yet, for each of those."""
        unreleased, away = self._weights.unreleased, self._weights.away
        waits: dict[Mask, float] = {}
        for after in range(len(self._released) - 1, draws, -1):
            for card in self._released[after]:
                waits[1 << card] = unreleased + away * (after - draws)
        return waits

    def of(self, state: State, waits: dict[Mask, float]) -> float:
        """The worth of a state, the higher the better; `waits` for its number of draws."""
        foundations, piles, pool, _, _ = state
        government, weights = self[foundations], self._weights
        worth = government.worth
        tops = under = guests = families = 0
        for pile in piles:
            more, top, covered, fitting, family = government[pile]
            worth += more
            tops |= top
            under |= covered
            guests |= fitting
            families |= family
        if builds := pool & guests:
            worth += weights.any_build + weights.builds * min(builds.bit_count(), _FAR)
        hosts = families.bit_count()
        worth += weights.hosts * hosts + weights.doubles * (len(piles) - hosts)
        after_next = government.next << 4 & (tops | pool)
        worth += weights.after_next * after_next.bit_count()
        if missing := government.next & ~tops:
            worth += weights.in_pool * (missing & pool).bit_count()
            missing &= ~pool
            worth += weights.under * (missing & under).bit_count()
            missing &= ~under
            while missing:
                worth += waits[missing & -missing]
                missing &= missing - 1
        return worth
