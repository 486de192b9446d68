"""End positions at random."""

from random import Random

from service.engine import EngineError, Fill, Given, Position, Rules
from service.engine.cards import EMPTY, Card, Suit, may_build, suit_of
from service.engine.deal import IN_PLAY, start
from service.engine.notation import format_position, parse_position
from service.engine.piles import COLUMNS, PEOPLE, PEOPLE_START, ROWS, TABLEAU, Place
from service.engine.position import ACES_FOUNDED, founded


def end_position(rules: Rules, chance: Random, least: int, most: int) -> Position:
    """A position that the rules can show, with so many cards left in play."""
    while True:
        position = _scattered(rules, chance, chance.randint(least, most))
        try:
            return start(Given(parse_position(format_position(position))), rules)
        except EngineError:
            continue


def _scattered(rules: Rules, chance: Random, cards: int) -> Position:
    """So many cards laid out in runs with gaps between, and in the hand: often not as the rules would have it."""
    foundations, left = _founded_but(cards, chance)
    descending, disorder = chance.random() < 0.8, chance.choice((1, 10, 40))
    left.sort(key=lambda card: chance.random() * disorder - card * descending)
    in_hand = max(0, cards - chance.randint(len(TABLEAU), cards)) if cards >= len(TABLEAU) else 0
    gaps = chance.randint(0, 1)
    order = list(TABLEAU)
    if rules.fill is Fill.FREE:
        in_hand, gaps = chance.choice((0, max(0, cards - COLUMNS - chance.randint(0, 9)))), chance.randint(0, COLUMNS)
        if in_hand:
            order = [*ROWS[PEOPLE], *chance.sample(range(PEOPLE_START), PEOPLE_START)]
    hand, left = left[:in_hand], left[in_hand:]
    skipped = chance.sample(range(PEOPLE_START), gaps)
    piles = _piles(rules, chance, left, [place for place in order if place not in skipped])
    turned = chance.randint(0, in_hand) if rules.waste else 0
    tops = bytes(piles[place][-1] if piles[place] else EMPTY for place in TABLEAU)
    under = tuple(bytes(piles[place][:-1]) for place in TABLEAU)
    return Position(tops, under, foundations, bytes(hand[turned:]), bytes(hand[:turned]))


def _founded_but(cards: int, chance: Random) -> tuple[bytes, list[Card]]:
    """Foundations that lack so many cards, some suits far more than others, and those cards."""
    foundations, left = ACES_FOUNDED, list(IN_PLAY)
    favour = [chance.choice((1, 5, 50)) for _ in Suit]
    while len(left) > cards:
        fitting = [card for card in left if card - 4 in foundations]
        (card,) = chance.choices(fitting, [favour[suit_of(card)] for card in fitting])
        foundations = founded(foundations, card)
        left.remove(card)
    return foundations, left


def _piles(rules: Rules, chance: Random, cards: list[Card], order: list[Place]) -> list[list[Card]]:
    """The cards on the places, in this order; where one continues a run that may lie there, perhaps on that."""
    piles: list[list[Card]] = [[] for _ in TABLEAU]
    free = iter(order)
    keen = chance.choice((0.0, 0.5, 1.0))
    for card in cards:
        hosts = [
            place
            for place in order
            if (place < COLUMNS or (rules.people if place >= PEOPLE_START else rules.deep))
            and piles[place]
            and may_build(card, piles[place][-1])
        ]
        place = chance.choice(hosts) if hosts and chance.random() < keen else next(free, order[0])
        piles[place].append(card)
    return piles
