"""Moves, and the one judge of them.

`why_not` decides legality: `apply` and everything above the engine ask it, and `legal_moves` makes what it lets pass.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from service.engine.cards import BASE_FAMILY, EMPTY, FAMILY, ONE_UP, Card, rank_of
from service.engine.errors import IllegalMove, Reason
from service.engine.piles import (
    COLUMNS,
    GOVERNMENT,
    PEOPLE,
    PEOPLE_START,
    PLACE_NAMES,
    PRIVY_COUNCIL,
    ROWS,
    STOCK,
    TABLEAU,
    WASTE,
    Place,
    row_of,
)
from service.engine.position import ALL_FOUNDED, Position
from service.engine.rules import Fill, Rules

_FORCED: Final = Fill.FORCED
_FREE: Final = Fill.FREE


class Move(NamedTuple):
    """One transfer of a top card. Its text, as `c2f1`, `d1G`, `Wb4` or `S`, is `str(move)`."""

    source: Place
    target: Place

    def __str__(self) -> str:
        return "S" if self.source == STOCK else PLACE_NAMES[self.source] + PLACE_NAMES[self.target]


class Kind(StrEnum):
    """What an entry of the log is: six kinds of move, then the other commands. The values never change."""

    PROMOTE = "promote"
    BUILD = "build"
    LATERAL = "lateral"
    FILL = "fill"
    TURN = "turn"
    PEOPLE = "people"
    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    RESIGN = "resign"
    HINT = "hint"
    ASK = "ask"
    CONSENT = "consent"


class Status(StrEnum):
    """How a game stands. A position alone is playing, won or stuck."""

    PLAYING = "playing"
    WON = "won"
    STUCK = "stuck"
    RESIGNED = "resigned"


_PROMOTE, _BUILD, _LATERAL, _FILL, _TURN, _PEOPLE, *_ = Kind  # Python 3.11 takes ten times as long for Kind.PROMOTE
_PLAYING: Final = Status.PLAYING

MOVES: Final[tuple[tuple[Move, ...], ...]] = tuple(
    tuple(Move(source, target) for target in (*TABLEAU, WASTE, STOCK, GOVERNMENT)) for source in (*TABLEAU, WASTE)
)
"""`MOVES[source][target]`, made once."""
TURN: Final = Move(STOCK, WASTE)
ALL_MOVES: Final[tuple[Move, ...]] = (
    TURN,
    *(MOVES[source][target] for source in (*TABLEAU, WASTE) for target in (*TABLEAU, GOVERNMENT)),
)
"""Every move that can be written."""


def must_fill(position: Position, rules: Rules) -> Place | None:
    """The vacancy that must be filled before anything else; the position is then unsettled."""
    return position.vacancy() if EMPTY in position.tops and rules.fill is _FORCED else None


def why_not(position: Position, move: Move, rules: Rules) -> Reason | None:
    """Why the move is not legal, or None when it is."""
    return why_not_with(position, move, rules, must_fill(position, rules))


def why_not_with(position: Position, move: Move, rules: Rules, vacancy: Place | None) -> Reason | None:
    """What `why_not` says of a position that has this vacancy to fill."""
    source, target = move
    if position.foundations == ALL_FOUNDED:
        return Reason.OVER
    if vacancy is not None and target != vacancy:
        return Reason.MUST_FILL
    if source >= WASTE:
        return _why_not_from_hand(position, move, rules)
    if target == GOVERNMENT:
        return _why_not_promoted(position, source)

    if source // COLUMNS != target // COLUMNS + 1:
        return _why_not_sideways(position, move, rules, vacancy)
    if not (card := position.tops[source]):
        return Reason.EMPTY_SOURCE
    if not (base := position.tops[target]):
        return None
    if target >= COLUMNS and not rules.deep:
        return Reason.NOT_DEEP
    return _why_not_built(card, base)


def kind_of(position: Position, move: Move) -> Kind:
    """What the move is where it is legal."""
    source, target = move
    if target == GOVERNMENT:
        return _PROMOTE
    if source >= WASTE:
        return _TURN if source == STOCK else _PEOPLE
    if source // COLUMNS == target // COLUMNS:
        return _LATERAL
    return _BUILD if position.tops[target] else _FILL


def turns_up(position: Position, move: Move, rules: Rules) -> bool:
    """Whether a legal move brings up a card of the stock: for itself, or for what it leaves empty."""
    source = move.source
    if source < PEOPLE_START or not position.stock:
        return False
    if source == STOCK:
        return True
    if source < WASTE and position.under[source]:
        return False
    return len(position.waste) <= 1 if rules.fill is _FREE else not position.waste


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """Every move against which `why_not` has nothing to say, once each, in the order of `legal_by_kind`."""
    by_kind = legal_by_kind(position, rules, must_fill(position, rules))
    return [move for _, moves in by_kind for move in moves]


def legal_by_kind(position: Position, rules: Rules, vacancy: Place | None) -> Iterator[tuple[Kind, list[Move]]]:
    """The legal moves of a position that has this vacancy to fill, by kind, those of each list from one row.

    Promotions come first, then builds row by row, free fills, laterals, the waste and the stock.
    """
    tops, foundations = position.tops, position.foundations
    if vacancy is not None:
        yield _FILL, _fills(tops, vacancy)
        return
    yield (
        _PROMOTE,
        [MOVES[source][GOVERNMENT] for source, card in enumerate(tops[:COLUMNS]) if card and card - 4 in foundations],
    )
    families, wanted = tops.translate(FAMILY), tops.translate(BASE_FAMILY)
    for row in _hosts(rules):
        yield _BUILD, _builds(ROWS[row + 1], wanted, ROWS[row], families)
    if rules.fill is _FREE and EMPTY in tops:
        for gap in range(PEOPLE_START):
            if not tops[gap]:
                yield _FILL, _fills(tops, gap)
    if rules.lateral:
        yield _LATERAL, _builds(ROWS[PRIVY_COUNCIL], wanted, ROWS[PRIVY_COUNCIL], families)
    if rules.waste and rules.people and position.waste:
        family = BASE_FAMILY[position.waste[-1]]
        yield _PEOPLE, [MOVES[WASTE][target] for target in ROWS[PEOPLE] if families[target] == family]
    if rules.waste and position.stock:
        yield _TURN, [TURN]


def apply(position: Position, move: Move, rules: Rules) -> Position:
    """The position after a legal move and its automatic part; raises IllegalMove with the reason."""
    if reason := why_not(position, move, rules):
        raise IllegalMove(str(move), reason)
    return transfer(position, move, rules)


def transfer(position: Position, move: Move, rules: Rules) -> Position:
    """The position after a move that is known to be legal, as each of `legal_moves` is."""
    source, target = move
    return position.transfer(source, target, rules.fill is _FREE)


def status(position: Position, rules: Rules) -> Status:
    """Won, stuck or still playing; stuck is exact: nothing but idle laterals can ever be played again."""
    return status_with(position, rules, must_fill(position, rules))


def status_with(position: Position, rules: Rules, vacancy: Place | None) -> Status:
    """What `status` says of a position that has this vacancy to fill."""
    if vacancy is not None:
        return _PLAYING
    if position.foundations == ALL_FOUNDED:
        return Status.WON
    if _can_rise(position, rules):
        return _PLAYING
    idle = False
    for _, moves in legal_by_kind(position, rules, None):
        for source, target in moves:
            if source >= COLUMNS or target >= COLUMNS or not position.under[source]:
                return _PLAYING
            idle = True  # a lateral that could be taken back by another
    return _PLAYING if idle and _can_free(position) else Status.STUCK


def perft(position: Position, rules: Rules, depth: int) -> int:
    """The number of lines of `depth` legal moves from here: the check that two engines agree."""
    if depth == 0:
        return 1
    lines = 0
    for move in legal_moves(position, rules):
        there = transfer(position, move, rules)
        lines += perft(there, rules, depth - 1) if depth > 1 else 1
    return lines


def _can_rise(position: Position, rules: Rules) -> bool:
    """Whether a card can be promoted or built, as nearly always: what `legal_by_kind` makes moves of, as one answer."""
    row = position.row
    return _share(row(PRIVY_COUNCIL), position.foundations.translate(ONE_UP)) or any(
        _share(row(host + 1).translate(BASE_FAMILY), row(host).translate(FAMILY)) for host in _hosts(rules)
    )


def _hosts(rules: Rules) -> Sequence[int]:
    """The rows on whose cards the next row's may be built."""
    return range(PEOPLE) if rules.deep else (PRIVY_COUNCIL,)


def _share(some: bytes, others: bytes) -> bool:
    """Whether they have a byte in common."""
    return len(some.translate(None, others)) < len(some)


def _can_free(position: Position) -> bool:
    """Whether idle laterals can lead to a promotion, or to a lateral that empties its source.

    An idle lateral takes a card from one base to another of the same family, so it changes how many bases are taken in
    no family. Hence a card below others can be freed exactly if its own family, and that of each card above it, has a
    free base now: the cards above are then moved off one by one, the topmost first. Builds need no such search, since
    a family's free base takes them wherever it lies.
    """
    free = position.row(PRIVY_COUNCIL).translate(FAMILY)
    for place in ROWS[PRIVY_COUNCIL]:
        for depth, card in reversed(list(enumerate(position.under[place]))):
            if FAMILY[card] not in free:
                break
            if card - 4 in position.foundations or (depth == 0 and BASE_FAMILY[card] in free):
                return True
    return False


def _why_not_built(card: Card, base: Card) -> Reason | None:
    if FAMILY[base] == BASE_FAMILY[card]:
        return None
    return Reason.WRONG_COLOUR if rank_of(card) + 1 == rank_of(base) else Reason.WRONG_RANK


def _why_not_promoted(position: Position, source: Place) -> Reason | None:
    if source >= COLUMNS:
        return Reason.NOT_TOP_ROW
    if not (card := position.tops[source]):
        return Reason.EMPTY_SOURCE
    if card - 4 in position.foundations:
        return None
    shown = [rank_of(founded) for founded in position.foundations]
    return Reason.WRONG_SUIT if rank_of(card) - 1 in shown else Reason.WRONG_RANK


def _why_not_sideways(position: Position, move: Move, rules: Rules, vacancy: Place | None) -> Reason | None:
    """The answer for two tableau places of which the source is not in the row just below the target's."""
    source, target = move
    if source == target:
        return Reason.SAME_PLACE
    if row_of(source) != PRIVY_COUNCIL or row_of(target) != PRIVY_COUNCIL or vacancy is not None:
        return Reason.NOT_ROW_BELOW
    if not rules.lateral:
        return Reason.NO_LATERAL
    if not (card := position.tops[source]):
        return Reason.EMPTY_SOURCE
    if not (base := position.tops[target]):
        return Reason.NO_VACANCY
    return _why_not_built(card, base)


def _why_not_from_hand(position: Position, move: Move, rules: Rules) -> Reason | None:
    """The answer for a card of the stock or the waste."""
    source, target = move
    if not rules.waste:
        return Reason.NO_WASTE
    if source == STOCK:
        return None if position.stock else Reason.STOCK_EMPTY
    if target == GOVERNMENT:
        return Reason.NOT_TOP_ROW
    if row_of(target) != PEOPLE:
        return Reason.NOT_ROW_BELOW
    if not rules.people:
        return Reason.NO_PEOPLE
    if not position.waste:
        return Reason.EMPTY_SOURCE
    return _why_not_built(position.waste[-1], base) if (base := position.tops[target]) else Reason.NO_VACANCY


def _fills(tops: bytes, gap: Place) -> list[Move]:
    """The moves into an empty place from all full places of the next row."""
    return [MOVES[source][gap] for source in ROWS[gap // COLUMNS + 1] if tops[source]]


def _builds(sources: range, wanted: bytes, targets: range, families: bytes) -> list[Move]:
    """The moves from one row to another whose card wants the family of its target."""
    hosts = families[targets.start : targets.stop]
    return [
        MOVES[source][target]
        for source in sources
        if (family := wanted[source]) in hosts
        for target in targets
        if families[target] == family
    ]
