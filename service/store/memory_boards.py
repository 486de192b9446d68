"""Boards in memory: a table of each, sorted whenever somebody looks."""

import secrets
from collections.abc import Sequence

from service.ports.boards import MEAN_OF, Board, BoardPage, Ranked, Standing
from service.store.rows import cursor_of, in_order, place_of, ranked


class MemoryBoards:
    """Boards, and who was taken off them."""

    def __init__(self) -> None:
        self._boards: dict[Board, dict[str, Standing]] = {}
        self._days: dict[tuple[Board, str], dict[str, int]] = {}
        self._removed: set[tuple[str, str]] = set()
        self._versions: dict[str, int] = {}

    async def submit(self, board: Board, standing: Standing) -> bool:
        rows = self._boards.setdefault(board, {})
        stands = rows.get(standing.player)
        if (board.home, standing.player) in self._removed or (stands and stands.key >= standing.key):
            return False
        rows[standing.player] = standing
        self._change(board.home)
        return True

    async def page(self, board: Board, cursor: str | None, limit: int) -> BoardPage:
        rows = self._sorted(board)
        place = None if cursor is None else place_of(cursor)
        first = sum(in_order(row) >= place for row in rows) if place else 0
        return _cut(rows, first, first + limit)

    async def around(self, board: Board, player: str, each_side: int) -> BoardPage:
        rows = self._sorted(board)
        at = next((at for at, row in enumerate(rows) if row.standing.player == player), None)
        if at is None:
            return BoardPage([], len(rows), None)
        return _cut(rows, max(0, at - each_side), at + each_side + 1)

    async def among(self, board: Board, players: Sequence[str]) -> BoardPage:
        rows = self._sorted(board)
        return BoardPage([row for row in rows if row.standing.player in players], len(rows), None)

    async def rank(self, board: Board, player: str) -> int | None:
        return next((row.rank for row in self._sorted(board) if row.standing.player == player), None)

    async def versions(self, homes: Sequence[str]) -> list[int]:
        return [self._versions.get(home, 0) for home in homes]

    async def remove(self, home: str, player: str) -> bool:
        self._removed.add((home, player))
        for board, one in [key for key in self._days if key[0].home == home and key[1] == player]:
            del self._days[board, one]
        had = [rows.pop(player, None) for board, rows in self._boards.items() if board.home == home]
        if any(had):
            self._change(home)
        return any(had)

    async def removed(self, home: str) -> set[str]:
        return {player for one, player in self._removed if one == home}

    async def rebuild(self, home: str, boards: dict[Board, list[Standing]]) -> None:
        self._boards = {board: rows for board, rows in self._boards.items() if board.home != home}
        for board, standings in boards.items():
            kept = [one for one in standings if (home, one.player) not in self._removed]
            self._boards[board] = {one.player: one for one in kept}
        self._change(home)

    async def add_up(self, board: Board, player: str, date: str, value: int | None, best: int) -> None:
        if (board.home, player) in self._removed:
            return
        days = self._days.setdefault((board, player), {})
        if value is None:
            days.pop(date, None)
        else:
            days[date] = value
        rows = self._boards.setdefault(board, {})
        stood = rows.pop(player, None)
        if days and (best or len(days) >= MEAN_OF):
            worth = sorted(days.values(), reverse=True)
            rows[player] = Standing(player, sum(worth[:best]) if best else sum(worth) // len(worth))
        if rows.get(player) != stood:
            self._change(board.home)

    def _change(self, home: str) -> None:
        self._versions[home] = secrets.randbits(53)

    def _sorted(self, board: Board) -> list[Ranked]:
        standings = list(self._boards.get(board, {}).values())
        in_turn = sorted(standings, key=lambda one: (one.key, one.player), reverse=True)
        return list(ranked(in_turn, 0, 1))


def _cut(rows: list[Ranked], first: int, end: int) -> BoardPage:
    cut = rows[first:end]
    return BoardPage(cut, len(rows), cursor_of(cut[-1].standing) if cut and end < len(rows) else None)
