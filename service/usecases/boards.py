"""Boards as people read them: rows with names, from the top, around oneself, or of those one follows."""

from typing import Final, NamedTuple

from msgspec import UNSET

from service.ports import Clock, PlayerStore
from service.ports.boards import Board, BoardStore, Ranked, Result, Scope
from service.ports.boards import BoardPage as Found
from service.ports.daily import Day, DayStore, Field
from service.protocol.boards import BoardPage, BoardPlayer, BoardRow, ViewName
from service.telemetry.meters import Meters
from service.usecases.days import opens, read_day
from service.usecases.errors import BadAddress, BadCursor, BadRequest, NoSuchDay, Unauthorised

TOP: Final = 20
"""Rows of a page, unless others are asked for."""
_LONG_AGO: Final = 0
"""When there was no challenge, so that `today` is no date: a board has one name."""
_POINTS_BITS: Final = 20
_ASSISTS_BITS: Final = 20
_MOST_ASSISTS: Final = (1 << _ASSISTS_BITS) - 1


def rank_key(result: Result) -> int:
    """What ranks a run: a win, then points, then fewer assists; no clock and no order of arrival."""
    return (result.won << _POINTS_BITS | result.points) << _ASSISTS_BITS | _MOST_ASSISTS - result.assists


def speed_key(result: Result) -> int:
    """What ranks a win without assists on the speed board."""
    return -result.tenths


class DayBoard(NamedTuple):
    """A board of a day."""

    day: Day
    scope: Scope
    field: Field

    def __str__(self) -> str:
        return f"{self.day}/{self.scope}/{self.field}"


def read_board(text: str) -> DayBoard:
    """The board in a text, as `str` makes it; raises BadRequest. The day need not be there."""
    try:
        date, rules, scope, field = text.split("/")
        return DayBoard(read_day(date, rules, now=_LONG_AGO), Scope(scope), Field(field))
    except (ValueError, BadAddress):
        raise BadRequest(
            "topic", "there should be a date, rules, a scope and a field, as board:2026-11-30/modern/first/people"
        ) from None


class Asked(NamedTuple):
    """Which rows of a board are asked for: a view, who asks, the `next` of the page before, and how many at most."""

    view: ViewName = "top"
    player: str | None = None
    cursor: str | None = None
    limit: int = TOP


class Boards:
    """Pages of boards. Every method may raise StoreUnavailable."""

    def __init__(self, store: BoardStore, players: PlayerStore, days: DayStore, clock: Clock, meters: Meters) -> None:
        self._store, self._players, self._days, self._clock, self._meters = store, players, days, clock, meters

    async def day(self, board: DayBoard, asked: Asked) -> BoardPage:
        """A page of a day's board. Raises NoSuchDay, BadCursor, or Unauthorised for a view that needs a player."""
        day, scope, field = board
        is_open = await self._is_open(day)
        found = await self._found(Board(str(day), scope, field), asked)
        names = await self._names(found)
        return BoardPage(
            rules=day.rules,
            date=day.date,
            final=not is_open,
            scope=scope.value,
            field=field.value,
            view=asked.view,
            size=found.size,
            rows=[_row(row, scope, names, _viewer(asked), is_open=is_open) for row in found.rows],
            next=found.following,
        )

    async def period(self, home: str, field: Field, asked: Asked) -> BoardPage:
        """A page of a period's board; raises BadCursor, or Unauthorised for a view that needs a player."""
        found = await self._found(Board(home, Scope.FIRST, field), asked)
        names = await self._names(found)
        name, _, rules = home.partition("/")
        return BoardPage(
            rules=rules,
            period=name,
            scope=Scope.FIRST.value,
            field=field.value,
            view=asked.view,
            size=found.size,
            rows=[_row(row, Scope.FIRST, names, _viewer(asked), is_open=False) for row in found.rows],
            next=found.following,
        )

    async def _is_open(self, day: Day) -> bool:
        """Whether the day's boards can change; raises NoSuchDay, also for one that is to come."""
        [stored] = await self._days.find([day])
        if stored is None or self._clock.now() < opens(day.date):
            raise NoSuchDay(day)
        return stored.final is None

    async def _found(self, board: Board, asked: Asked) -> Found:
        view, player, cursor, limit = asked
        self._meters.board_reads += 1
        if view != "top" and player is None:
            raise Unauthorised("This view needs a player's token: Authorization: Bearer, a space, and the token.")
        if player is not None and view == "following":
            if cursor is not None:
                raise BadCursor("cursor", "this view has one page")
            return await self._store.among(board, [player, *await self._players.following(player)])
        if player is not None and view == "me" and cursor is None:
            return await self._store.around(board, player, limit // 2)
        try:
            return await self._store.page(board, cursor, limit)
        except ValueError as error:
            raise BadCursor("cursor", str(error)) from None

    async def _names(self, found: Found) -> dict[str, str]:
        return await self._players.names([row.standing.player for row in found.rows])


def _viewer(asked: Asked) -> str | None:
    """Whose rows are told from the others: nobody's at the top, where everybody is answered alike."""
    return None if asked.view == "top" else asked.player


def _row(row: Ranked, scope: Scope, names: dict[str, str], viewer: str | None, *, is_open: bool) -> BoardRow:
    """A row as a viewer may see it, or everybody (None)."""
    player, key, result = row.standing
    is_yours = player == viewer
    you = UNSET if viewer is None else is_yours
    shown = BoardPlayer(player, names.get(player))
    if result is None:
        return BoardRow(rank=row.rank, player=shown, total=key, you=you)
    return BoardRow(
        rank=row.rank,
        player=shown,
        points=result.points,
        won=result.won,
        assists=result.assists,
        promoted=result.promoted,
        tempo=result.tempo,
        seconds=result.tenths / 10 if scope is Scope.SPEED else UNSET,
        session=UNSET if is_open and not is_yours else result.session,
        you=you,
    )
