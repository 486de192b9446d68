"""What one viewer may see, as messages. Nothing else of the use cases makes one, so nothing else can leak a card."""

from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from service.engine.cards import rank_of
from service.engine.game import Game
from service.engine.log import Entry
from service.engine.moves import Kind, Move
from service.engine.notation import format_card, format_cards, format_place
from service.engine.piles import COLUMNS, TABLEAU, WASTE
from service.engine.position import Position
from service.engine.view import view_of
from service.ports import SessionMeta, StoredSummary
from service.protocol import messages
from service.usecases.errors import NotForSpectators
from service.usecases.history import History, Place, Turn

MISSED_LIMIT: Final = 500
"""The most entries that are sent one by one: more than a whole game."""


def seat_of(meta: SessionMeta, player: str | None) -> int | None:
    """The player's seat, or None for a spectator."""
    for seat, holder in enumerate(meta.seats):
        if holder.player == player:
            return seat
    return None


def viewing_seat(meta: SessionMeta, player: str | None) -> int | None:
    """The player's seat, or None for a spectator where the session has any; raises NotForSpectators."""
    seat = seat_of(meta, player)
    if seat is None and not meta.spectators:
        raise NotForSpectators
    return seat


def session_view(meta: SessionMeta, game: Game, seat: int | None) -> messages.Session:
    """The session at a place of its history, for a seat or for a spectator (None)."""
    return messages.Session(
        id=meta.id,
        rules=meta.rules,
        deal=None if is_secret(meta, game) else meta.deal,
        mode="solo",
        secret=is_secret(meta, game),
        spectators=meta.spectators,
        created_at=_iso(meta.created),
        seq=game.seq,
        crc=messages.format_crc(game.crc),
        seats=[messages.Seat(number, holder.player, holder.name) for number, holder in enumerate(meta.seats)],
        you=seat,
        **board_fields(game, seat),
    )


def board_fields(game: Game, seat: int | None) -> dict[str, Any]:
    """The members of a session that tell of its board, for a seat or for a spectator (None)."""
    view = view_of(game.position)
    piles = [format_cards(pile) for pile in view.piles]
    return {
        "rows": [piles[start : start + COLUMNS] for start in range(0, len(TABLEAU), COLUMNS)],
        "stock": view.stock,
        **_outcome(game, seat),
    }


def event_view(meta: SessionMeta, turn: Turn, seat: int | None) -> messages.Event:
    """An entry of the log and what it changed, for a seat or for a spectator (None)."""
    before, entry, after = turn
    return messages.Event(
        session=meta.id,
        seq=after.seq,
        crc=messages.format_crc(after.crc),
        seat=entry.seat,
        kind=entry.kind.value,
        time=entry.time,
        move=None if entry.move is None else str(entry.move),
        count=entry.count,
        piles=_changed_piles(before.position, entry.move, after.position),
        revealed=_revealed(before.position, entry, after.position),
        stock=len(after.position.stock),
        **_outcome(after, seat),
    )


def events_after(history: History, place: Place, seat: int | None) -> list[messages.Event] | None:
    """The entries behind a place; None where it is not in the history, or so far back that a new view is shorter."""
    if not history.knows(place) or history.game.seq - place.seq > MISSED_LIMIT:
        return None
    return [event_view(history.meta, turn, seat) for turn in history.turns_from(history.at(place.seq))]


def summary_view(stored: StoredSummary) -> messages.Summary:
    """A session of one's own, for a list."""
    meta = stored.meta
    secret = meta.secret and meta.is_open
    return messages.Summary(
        id=meta.id,
        rules=meta.rules,
        deal=None if secret else meta.deal,
        mode="solo",
        secret=secret,
        status=meta.status,  # type: ignore[arg-type]  # the store gives back the status that a view gave it
        seq=stored.seq,
        created_at=_iso(meta.created),
        updated_at=_iso(meta.updated),
    )


def legal_for(game: Game, seat: int | None) -> list[messages.LegalMove]:
    """What the seat may play now."""
    if seat is None:
        return []
    return [_legal_move(*legal) for legal in game.legal]


@cache
def _legal_move(move: Move, kind: Kind, reveals: bool) -> messages.LegalMove:
    """The message of a legal move, of which there are some thousands in all."""
    return messages.LegalMove(str(move), kind.value, reveals)  # type: ignore[arg-type]  # a move's kind is one of six


def is_secret(meta: SessionMeta, game: Game) -> bool:
    """Whether the deal must not be told yet."""
    return meta.secret and not game.is_over


def _outcome(game: Game, seat: int | None) -> dict[str, Any]:
    """The members that a session and an event share."""
    points = game.points
    return {
        "foundations": [rank_of(card) for card in game.position.foundations],
        "waste": format_cards(game.position.waste),
        "must_fill": None if game.must_fill is None else format_place(game.must_fill),
        "status": game.status.value,
        "points": messages.Points(points.total, points.promoted, points.tempo, points.assists, points.won),
        "legal": legal_for(game, seat),
        "can_undo": game.played > 0 and not game.is_over,
        "can_redo": game.played < len(game.line) and not game.is_over,
    }


def _changed_piles(before: Position, move: Move | None, after: Position) -> dict[str, str]:
    """The tableau piles that differ: of a move, which changes no others, its source and its target."""
    return {
        format_place(place): format_cards(after.pile(place))
        for place in (TABLEAU if move is None else move)
        if place < WASTE and (before.tops[place] != after.tops[place] or before.under[place] != after.under[place])
    }


def _revealed(before: Position, entry: Entry, after: Position) -> list[tuple[str, str]]:
    """The stock card that a move brought up: to the waste, or, where there is none, to the place it left empty."""
    if entry.move is None or len(after.stock) == len(before.stock):
        return []
    place = WASTE if after.waste else entry.move.source
    return [(format_place(place), format_card(before.stock[0]))]


def _iso(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
