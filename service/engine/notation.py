"""The text forms of cards, places, moves, deals, positions and views, each as a pair of `format_x` and `parse_x`.

NOTATION.md holds the grammar. A parser raises NotationError, which says where the text goes wrong and what would be
right; what parses formats back to the same text.
"""

import re
from collections import Counter
from functools import lru_cache
from typing import Final, NoReturn, assert_never

from service.engine.cards import ALL_CARDS, CARD_NAMES, RANKS, SUITS, Card, Cards, Suit, card_of, may_build, rank_of
from service.engine.deal import (
    NUMBERS,
    PYSOL_MS_NUMBERS,
    PYSOL_NUMBERS,
    SEED_BYTES,
    Deal,
    Given,
    Numbered,
    Pysol,
    Seeded,
)
from service.engine.errors import NotationError
from service.engine.moves import ALL_MOVES, MOVES, TURN, Move
from service.engine.piles import COLUMNS, GOVERNMENT, PEOPLE, PLACE_NAMES, TABLEAU, WASTE, Place
from service.engine.position import Position
from service.engine.rules import PRESETS, Rules
from service.engine.view import View

_CARDS: Final = {CARD_NAMES[card]: card for card in ALL_CARDS}
_MOVES: Final = {str(move): move for move in ALL_MOVES}
_MOVE_NAMES: Final = {move: name for name, move in _MOVES.items()}
_PLACES: Final = {name: place for place, name in enumerate(PLACE_NAMES)}
_COPIES: Final = 2
_A_CARD: Final = f"a card, one of {RANKS} and then one of {SUITS}"
_A_PLACE: Final = "a place, a1 to h4"


class Scanner:
    """A text that is read from left to right, and knows where it is when it fails."""

    def __init__(self, what: str, text: str) -> None:
        self.what, self.text, self.at = what, text, 0

    def fail(self, expected: str, at: int | None = None) -> NoReturn:
        raise NotationError(self.what, self.text, self.at if at is None else at, expected)

    def take(self, token: str) -> bool:
        """Whether the token stands here; steps over it if so."""
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def expect(self, token: str, expected: str) -> None:
        if not self.take(token):
            self.fail(expected)

    def match(self, pattern: re.Pattern[str], expected: str) -> str:
        """The longest text here that the pattern matches."""
        if not (found := pattern.match(self.text, self.at)):
            self.fail(expected)
        self.at = found.end()
        return found.group()

    def end(self) -> None:
        if self.at < len(self.text):
            self.fail("the end")

    def number(self, within: range) -> int:
        """A decimal number without leading zeros."""
        start = self.at
        digits = self.match(_NUMBER, f"a number from {within[0]} to {within[-1]}")
        if len(digits) > len(str(within[-1])) or int(digits) not in within:
            self.fail(f"a number from {within[0]} to {within[-1]}", start)
        return int(digits)

    def card(self) -> Card:
        card = _CARDS.get(self.text[self.at : self.at + 2])
        if card is None:
            self.fail(_A_CARD)
        self.at += 2
        return card

    def cards(self) -> Cards:
        """One or more cards, or `-` for none."""
        if self.take("-"):
            return b""
        cards = bytearray((self.card(),))
        while self.text[self.at : self.at + 1] in RANKS and self.at < len(self.text):
            cards.append(self.card())
        return bytes(cards)

    def place(self, expected: str) -> Place:
        """A tableau place."""
        place = _PLACES.get(self.text[self.at : self.at + 2], WASTE)
        if place not in TABLEAU:
            self.fail(expected)
        self.at += 2
        return place


_NUMBER: Final = re.compile("0|[1-9][0-9]*")
_HEX: Final = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")


def format_card(card: Card) -> str:
    return CARD_NAMES[card]


def parse_card(text: str) -> Card:
    scanner = Scanner("card", text)
    card = scanner.card()
    scanner.end()
    return card


@lru_cache(1 << 14)
def format_cards(cards: Cards) -> str:
    """The cards joined, bottom or next first; the empty text for none. Piles come again and again."""
    return "".join([CARD_NAMES[card] for card in cards])


def format_place(place: Place) -> str:
    return PLACE_NAMES[place]


def parse_place(text: str) -> Place:
    """A tableau place, or `W`, `S`, `G`."""
    if text not in _PLACES:
        raise NotationError("place", text, 0, f"{_A_PLACE}, or W, S or G")
    return _PLACES[text]


def format_move(move: Move) -> str:
    return _MOVE_NAMES[move]


def parse_move(text: str) -> Move:
    """The move that the text names, legal or not."""
    if text not in _MOVES:
        scanner = Scanner("move", text)
        scan_move(scanner)
        scanner.fail("the end")
    return _MOVES[text]


def scan_move(scanner: Scanner) -> Move:
    if scanner.take("S"):
        return TURN
    source = WASTE if scanner.take("W") else scanner.place(f"{_A_PLACE}, or W or S")
    target = GOVERNMENT if scanner.take("G") else scanner.place(f"{_A_PLACE}, or G")
    return MOVES[source][target]


def format_rules(rules: Rules) -> str:
    """The preset's name; KeyError for rules that are no preset."""
    return _PRESET_NAMES[rules]


def parse_rules(text: str) -> Rules:
    if text not in PRESETS:
        raise NotationError("rule set", text, 0, "one of " + ", ".join(PRESETS))
    return PRESETS[text]


_PRESET_NAMES: Final = {rules: name for name, rules in PRESETS.items()}


def format_deal(deal: Deal) -> str:
    match deal:
        case Numbered(number):
            return str(number)
        case Pysol(number, ms):
            return f"pysol:{'ms' if ms else ''}{number}"
        case Seeded(seed):
            return f"seed:{seed.hex()}"
        case Given(position):
            return f"position:{format_position(position)}"
    assert_never(deal)


def parse_deal(text: str) -> Deal:
    scanner = Scanner("deal", text)
    deal: Deal
    if scanner.take("position:"):
        deal = Given(_scan_position(scanner))
    elif scanner.take("seed:"):
        deal = Seeded(bytes.fromhex(scanner.match(_HEX, f"{2 * SEED_BYTES} hexadecimal digits, a to f small")))
    elif scanner.take("pysol:ms"):
        deal = Pysol(scanner.number(PYSOL_MS_NUMBERS), ms=True)
    elif scanner.take("pysol:"):
        deal = Pysol(scanner.number(PYSOL_NUMBERS))
    elif _NUMBER.match(text):
        deal = Numbered(scanner.number(NUMBERS))
    else:
        scanner.fail("a number, pysol:N, pysol:msN, seed:HEX or position:TEXT")
    scanner.end()
    return deal


def format_position(position: Position) -> str:
    piles = [position.pile(place) for place in TABLEAU]
    return f"{_format_open(piles, position.foundations)} {_or_dash(position.stock)} {_or_dash(position.waste)}"


def parse_position(text: str) -> Position:
    """The position; every one of the 88 cards must be there, and every tableau pile be a run."""
    scanner = Scanner("position", text)
    position = _scan_position(scanner)
    scanner.end()
    return position


def format_view(view: View) -> str:
    return f"{_format_open(view.piles, view.foundations)} {view.stock} {_or_dash(view.waste)}"


def parse_view(text: str) -> View:
    """The view; the cards that can be seen and the count of the stock must make 88."""
    scanner = Scanner("view", text)
    left = Counter(dict.fromkeys(ALL_CARDS, _COPIES))
    piles, foundations = _scan_open(scanner, left)
    scanner.expect(" ", "a space and the number of cards in the stock")
    at = scanner.at
    stock = scanner.number(range(left.total() + 1))
    scanner.expect(" ", "a space and the waste")
    waste = _scan_counted(scanner, left)
    scanner.end()
    if left.total() != stock:
        scanner.fail(f"{left.total()}, the number of cards that are nowhere else", at)
    return View(piles, foundations, stock, waste)


def _or_dash(cards: Cards) -> str:
    return format_cards(cards) or "-"


def _format_open(piles: list[Cards] | tuple[Cards, ...], foundations: Cards) -> str:
    rows = ["", "", "", ""]
    for row in range(PEOPLE + 1):
        rows[row] = ",".join(_or_dash(pile) for pile in piles[row * COLUMNS : (row + 1) * COLUMNS])
    return "/".join(rows) + " " + "".join(RANKS[rank_of(card) - 1] for card in foundations)


def _scan_position(scanner: Scanner) -> Position:
    left = Counter(dict.fromkeys(ALL_CARDS, _COPIES))
    piles, foundations = _scan_open(scanner, left)
    scanner.expect(" ", "a space and the stock")
    stock = _scan_counted(scanner, left)
    scanner.expect(" ", "a space and the waste")
    waste = _scan_counted(scanner, left)
    if missing := +left:
        scanner.fail("cards that are nowhere yet: " + format_cards(bytes(missing.elements())))
    tops = bytes(pile[-1] if pile else 0 for pile in piles)
    return Position(tops, tuple(pile[:-1] for pile in piles), foundations, stock, waste)


def _scan_open(scanner: Scanner, left: Counter[Card]) -> tuple[tuple[Cards, ...], Cards]:
    """The 32 piles and the foundations; takes their cards out of `left`."""
    piles = []
    for place in TABLEAU:
        if place:
            separator = "," if place % COLUMNS else "/"
            scanner.expect(separator, f"'{separator}' and the pile of {PLACE_NAMES[place]}")
        piles.append(_scan_pile(scanner, left))
    scanner.expect(" ", "a space and the eight foundations")
    return tuple(piles), _scan_foundations(scanner, left)


def _scan_pile(scanner: Scanner, left: Counter[Card]) -> Cards:
    at = scanner.at
    pile = _scan_counted(scanner, left)
    for depth in range(1, len(pile)):
        if not may_build(pile[depth], pile[depth - 1]):
            scanner.fail("a card one lower and of the other colour", at + 2 * depth)
    return pile


def _scan_counted(scanner: Scanner, left: Counter[Card]) -> Cards:
    at = scanner.at
    cards = scanner.cards()
    for offset, card in enumerate(cards):
        if not left[card]:
            scanner.fail("a card that is not there twice already", at + 2 * offset)
        left[card] -= 1
    return cards


def _scan_foundations(scanner: Scanner, left: Counter[Card]) -> Cards:
    """Eight ranks, clubs, spades, hearts and diamonds, two each and the higher first."""
    foundations = bytearray()
    for suit in Suit:
        for copy in range(_COPIES):
            rank = RANKS.find(scanner.text[scanner.at : scanner.at + 1] or "?") + 1
            highest = rank_of(foundations[-1]) if copy else len(RANKS)
            if not 1 <= rank <= highest:
                scanner.fail(f"the rank of a foundation of {suit.name.lower()}, at most {RANKS[highest - 1]}")
            foundation = [card_of(below, suit) for below in range(1, rank + 1)]
            if any(not left[card] for card in foundation):
                scanner.fail("a rank up to which no card is there twice already")
            left.subtract(foundation)
            foundations.append(foundation[-1])
            scanner.at += 1
    return bytes(foundations)
