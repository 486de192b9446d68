"""Events as bytes: what `views.event_view` answers, encoded, at half the cost.

Every move of every session is told so at least once, and so there is no message here, and what comes again and again,
as a pile or a legal move, is made text once.
"""

from functools import lru_cache
from typing import Final

from service.engine.cards import CARD_NAMES, RANK, Cards
from service.engine.game import LegalMove
from service.engine.moves import ALL_MOVES, Move
from service.engine.notation import format_cards
from service.engine.piles import PLACE_NAMES, TABLEAU, WASTE
from service.engine.position import Position
from service.ports import SessionMeta
from service.protocol import messages
from service.usecases.history import Turn
from service.usecases.views import legal_move, playable, whose_turn

_REMEMBERED: Final = 1 << 14
"""Piles, and states of the Government, that are kept as text: some hundreds of games have not more on show."""
_BOOLEANS: Final = ("false", "true")
_PLACES: Final = tuple([f'"{name}"' for name in PLACE_NAMES])
_MOVES: Final = {move: f'"{move}"' for move in ALL_MOVES}

_cards: Final = lru_cache(_REMEMBERED)(format_cards)


def event_frame(meta: SessionMeta, turn: Turn, seat: int | None, with_legal: bool = True) -> bytes:
    """An entry of the log, encoded for a seat or a spectator (None), who may decline the legal moves."""
    before, (kind, by, time, move, count), after = turn
    position, points, must_fill, whose = after.position, after.points, after.must_fill, whose_turn(meta, after)
    legal = ",".join([_LEGAL[one] for one in playable(meta, after, seat)]) if with_legal else ""
    is_open = not after.is_over
    return (
        f'{{"type":"event","session":{_id(meta.id)},"seq":{after.seq},"crc":"{after.crc:08x}","seat":{by},'
        f'"kind":"{kind!s}","time":{time},"move":{"null" if move is None else _MOVES[move]},"count":{count},'
        f'"piles":{{{_changed_piles(before.position, move, position)}}},'
        f'"revealed":[{_revealed(before.position, move, position)}],'
        f'"foundations":{_heights(position.foundations)},"stock":{len(position.stock)},'
        f'"waste":"{_cards(position.waste)}","must_fill":{"null" if must_fill is None else _PLACES[must_fill]},'
        f'"status":"{after.status!s}","points":{{"total":{points.total},"promoted":{points.promoted},'
        f'"tempo":{points.tempo},"assists":{points.assists},"won":{_BOOLEANS[points.won]}}},"legal":[{legal}],'
        f'"turn":{"null" if whose is None else whose},"can_undo":{_BOOLEANS[is_open and after.played > 0]},'
        f'"can_redo":{_BOOLEANS[is_open and after.played < len(after.line)]}}}'
    ).encode()


def _changed_piles(before: Position, move: Move | None, after: Position) -> str:
    """As `views._changed_piles`."""
    piles = ""
    for place in TABLEAU if move is None else move:
        if place < WASTE and (before.tops[place] != after.tops[place] or before.under[place] != after.under[place]):
            piles += f'{"," if piles else ""}{_PLACES[place]}:"{_cards(after.pile(place))}"'
    return piles


def _revealed(before: Position, move: Move | None, after: Position) -> str:
    """As `views.revealed`."""
    if move is None or before.stock is after.stock or len(before.stock) == len(after.stock):
        return ""
    return f'[{_PLACES[WASTE if after.waste else move.source]},"{CARD_NAMES[before.stock[0]]}"]'


@lru_cache(_REMEMBERED)
def _heights(foundations: Cards) -> str:
    return _text(list(foundations.translate(RANK)))


def _text(value: object) -> str:
    return messages.encode(value).decode()


_id: Final = lru_cache(_REMEMBERED)(_text)


class _Texts(dict[LegalMove, str]):
    """Each legal move as text, once it was asked for."""

    def __missing__(self, legal: LegalMove) -> str:
        text = self[legal] = _text(legal_move(legal))
        return text


_LEGAL: Final = _Texts()
