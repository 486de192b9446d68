"""What one viewer may see, as messages. Nothing else of the use cases makes one, so nothing else can leak a card."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.cards import CARD_NAMES, RANK, Cards
from service.engine.game import OVER, Game, LegalMove
from service.engine.moves import Move
from service.engine.notation import format_card, format_cards, format_move, format_place
from service.engine.piles import COLUMNS, PLACE_NAMES, STOCK, TABLEAU, WASTE
from service.engine.position import Position
from service.engine.score import Points
from service.engine.sharing import Held, Mode, legal_for_seat, turn_of
from service.engine.view import view_of
from service.ports import SessionMeta, StoredSummary
from service.protocol import messages, shapes
from service.usecases.errors import NotForSpectators
from service.usecases.history import History, Place, Turn

EXPIRED: Final = "expired"
"""The status of a run that was ended before its game was."""
_TURNS: Final = Mode.TURNS  # Python 3.11 takes long for it
MISSED_LIMIT: Final = 500
"""The most entries that are sent one by one: more than a whole game."""


def viewing_seat(meta: SessionMeta, player: str | None) -> int | None:
    """The player's seat, or None for a spectator where the session has any; raises NotForSpectators."""
    seat = meta.seat_of(player)
    if seat is None and not meta.spectators:
        raise NotForSpectators
    return seat


def held_seats(meta: SessionMeta) -> Held:
    """The seats that somebody holds now."""
    return tuple([seat for seat, holder in enumerate(meta.seats) if holder])


def session_view(meta: SessionMeta, game: Game, seat: int | None, with_legal: bool = True) -> shapes.Session:
    """The session at a place of its history, for a seat or for a spectator (None), who may decline the legal moves."""
    view = shapes.Session(
        id=meta.id,
        rules=meta.rules,
        deal=None if is_secret(meta, game) else meta.deal,
        mode=meta.mode,  # type: ignore[arg-type]  # the store gives back a mode that was given to it
        secret=is_secret(meta, game),
        spectators=meta.spectators,
        created_at=iso(meta.created),
        seq=game.seq,
        crc=messages.format_crc(game.crc),
        seats=[shapes.Seat(number, holder.player, holder.name) for number, holder in enumerate(meta.seats) if holder],
        capacity=meta.capacity,
        invite=_invite(meta, game, seat),
        turn=whose_turn(meta, game),
        you=seat,
        daily=_run_info(meta),
        **board_of(game, playable(meta, game, seat) if with_legal else ()),
    )
    if is_closed(meta, game):
        return replace(view, status="expired", can_undo=False, can_redo=False)
    return view


def _run_info(meta: SessionMeta) -> shapes.RunInfo | UnsetType:
    run = meta.run
    return UNSET if run is None else shapes.RunInfo(run.day.date, run.kind.value, iso(run.ends))


def board_of(game: Game, legal: Iterable[LegalMove]) -> dict[str, Any]:
    """The members of a session that tell of its board and how its game stands, with these legal moves."""
    view, is_open = view_of(game.position), not game.is_over
    piles = [format_cards(pile) for pile in view.piles]
    return {
        "rows": [piles[start : start + COLUMNS] for start in range(0, len(TABLEAU), COLUMNS)],
        "stock": view.stock,
        "foundations": _heights(view.foundations),
        "waste": format_cards(view.waste),
        "must_fill": None if game.must_fill is None else format_place(game.must_fill),
        "status": game.status.value,
        "points": _points(game.points),
        "legal": _legal_moves(legal),
        "can_undo": is_open and game.played > 0,
        "can_redo": is_open and game.played < len(game.line),
    }


def event_view(meta: SessionMeta, turn: Turn, seat: int | None, with_legal: bool = True) -> shapes.Event:
    """An entry of the log and what it changed, for a seat or a spectator (None), who may decline the legal moves."""
    before, after = turn.before, turn.after
    kind, by, time, move, count = turn.entry
    _, _, position, vacancy, status, _, points, seq, crc, _, line, played, _, _ = after
    is_open = status not in OVER
    return shapes.Event(  # in the order of its members, which takes half the time of naming them
        meta.id,
        seq,
        messages.format_crc(crc),
        by,
        kind._value_,  # which takes a fifth of the time of `value` in Python 3.11
        time,
        None if move is None else format_move(move),
        count,
        _changed_piles(before.position, move, position),
        _revealed(before.position, move, position),
        _heights(position.foundations),
        len(position.stock),
        format_cards(position.waste),
        None if vacancy is None else PLACE_NAMES[vacancy],
        status._value_,
        _points(points),
        _legal_moves(playable(meta, after, seat)) if with_legal else [],
        whose_turn(meta, after),
        is_open and played > 0,
        is_open and played < len(line),
    )


def events_after(
    history: History, place: Place, seat: int | None, with_legal: bool = True
) -> list[shapes.Event] | None:
    """The entries behind a place; None where it is not in the history, or so far back that a new view is shorter."""
    if not history.knows(place) or history.game.seq - place.seq > MISSED_LIMIT:
        return None
    return [event_view(history.meta, turn, seat, with_legal) for turn in history.turns_from(history.at(place.seq))]


def history_page(history: History, after: int, limit: int, seat: int | None) -> shapes.HistoryPage:
    """How the session stood after so many entries, and up to `limit` more, for a seat or a spectator (None).

    What is told of it beside its board is as it is now.
    """
    meta, now, then = history.meta, history.game, history.at(after)
    secret = is_secret(meta, now)
    session = replace(
        session_view(meta, then, seat, with_legal=False),
        secret=secret,
        deal=None if secret else meta.deal,
        invite=_invite(meta, now, seat),
    )
    events = [event_view(meta, turn, seat, with_legal=False) for turn in islice(history.turns_from(then), limit)]
    end = then.seq + len(events)
    return shapes.HistoryPage(session, events, end if end < now.seq else None)


def summary_view(stored: StoredSummary) -> shapes.Summary:
    """A session of one's own, for a list."""
    meta = stored.meta
    secret = meta.secret and (meta.run is not None or meta.is_open)
    return shapes.Summary(
        id=meta.id,
        rules=meta.rules,
        deal=None if secret else meta.deal,
        mode=meta.mode,  # type: ignore[arg-type]  # the store gives back a mode that was given to it
        secret=secret,
        status=meta.status,  # type: ignore[arg-type]  # the store gives back the status that a view gave it
        seq=stored.seq,
        created_at=iso(meta.created),
        updated_at=iso(meta.updated),
    )


def hint_view(level: int, winnable: bool | None, move: Move | None, position: Position) -> shapes.Hint:
    """What a step of a hint tells of a move: where, then which card too, then all.

    Without a move it says only whether there may be one.
    """
    told = winnable_word(winnable)
    if move is None:
        return shapes.Hint(level=level, winnable=told, place=None)
    return shapes.Hint(
        level=level,
        winnable=told,
        place=format_place(move.source),
        card=UNSET if level < 2 else _moved_card(position, move),
        move=UNSET if level < 3 else str(move),
    )


def _moved_card(position: Position, move: Move) -> str | UnsetType:
    """The card that a move moves, but for a turn's, which nobody may know before."""
    if move.source == STOCK:
        return UNSET
    return format_card(position.waste[-1] if move.source == WASTE else position.tops[move.source])


def winnable_word(winnable: bool | None) -> shapes.Winnable:
    """Whether something can be won, in a word."""
    return "unknown" if winnable is None else "yes" if winnable else "no"


def playable(meta: SessionMeta, game: Game, seat: int | None) -> tuple[LegalMove, ...]:
    """What the seat may play now; nothing for a spectator (None)."""
    if seat is None or is_closed(meta, game):
        return ()
    return game.legal if meta.mode == Mode.SOLO else legal_for_seat(game, Mode(meta.mode), seat, held_seats(meta))


def legal_for(meta: SessionMeta, game: Game, seat: int | None) -> list[shapes.LegalMove]:
    """What the seat may play now, as messages."""
    return _legal_moves(playable(meta, game, seat))


def _legal_moves(legal: Iterable[LegalMove]) -> list[shapes.LegalMove]:
    return list(map(legal_move, legal))


@cache
def legal_move(legal: LegalMove) -> shapes.LegalMove:
    """The message of a legal move, of which there are some thousands in all."""
    kind: Any = legal.kind.value  # one of the six that moves have
    return shapes.LegalMove(str(legal.move), kind, legal.reveals)


def whose_turn(meta: SessionMeta, game: Game) -> int | None:
    """Whose turn it is, where there are turns and somebody to take them."""
    held = held_seats(meta) if meta.mode == _TURNS and not game.is_over else ()
    return turn_of(game, held) if held else None


def _invite(meta: SessionMeta, game: Game, seat: int | None) -> str | None:
    """The invite, for whoever has a seat, while it is good for anything."""
    return meta.invite or None if seat is not None and not game.is_over else None


def is_secret(meta: SessionMeta, game: Game) -> bool:
    """Whether the deal must not be told yet: a run's is a secret until the store says that it is none."""
    return meta.secret and (meta.run is not None or not game.is_over)


def is_closed(meta: SessionMeta, game: Game) -> bool:
    """Whether it is a run that was ended by the store before its game was over."""
    return meta.status == EXPIRED and not game.is_over


def status_of(meta: SessionMeta, game: Game) -> shapes.StatusName:
    """How the session stands."""
    status: Any = EXPIRED if is_closed(meta, game) else game.status.value  # one of those that a game can have
    return status  # type: ignore[no-any-return]  # as said


@lru_cache(1 << 14)
def _heights(foundations: Cards) -> list[int]:
    """The ranks of the foundations, of which each list is made once; nobody changes it."""
    return list(foundations.translate(RANK))


@lru_cache(1 << 14)
def _points(points: Points) -> shapes.Points:
    """The score, which most moves leave as it is."""
    return shapes.Points(points.total, *points)


def _changed_piles(before: Position, move: Move | None, after: Position) -> dict[str, str]:
    """The tableau piles that changed: by a move its source and its target, by another command all that differ."""
    piles, tops, under = {}, after.tops, after.under
    for place in move or _differing(before, after):
        if place < WASTE:
            piles[PLACE_NAMES[place]] = format_cards(under[place] + tops[place : place + 1]) if tops[place] else ""
    return piles


def _differing(before: Position, after: Position) -> list[int]:
    return [place for place in TABLEAU if before.pile(place) != after.pile(place)]


def _revealed(before: Position, move: Move | None, after: Position) -> list[tuple[str, str]]:
    """The stock card that a move brought up: to the waste, or, where there is none, to the place it left empty."""
    if move is None or len(after.stock) == len(before.stock):
        return []
    return [(PLACE_NAMES[WASTE if after.waste else move.source], CARD_NAMES[before.stock[0]])]


def iso(milliseconds: int) -> str:
    """The time at these milliseconds since the epoch, in UTC, as ISO 8601 has it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
