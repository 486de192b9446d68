"""Boards in Redis: a sorted set each, beside it a hash of the results; all that is about one home is in one slot."""

import logging
import secrets
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from service.ports import StoreUnavailable
from service.ports.boards import MEAN_OF, Board, BoardPage, Ranked, Result, Scope, Standing
from service.ports.daily import Field
from service.store.redis import keys
from service.store.redis.client import Client, Command, text
from service.store.redis.link import Part
from service.store.redis.scripts import Script
from service.store.rows import cursor_of, in_order, place_of, ranked

BATCH: Final = 1_000
"""Rows of a draft that are sent at once."""
DRAFT_SECONDS: Final = 600
"""How long a draft is kept that nobody goes on with."""

_log = logging.getLogger(__name__)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Result).decode


class RedisBoards:
    """Boards, and who was taken off them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._submit = Script(client, "board_submit")
        self._rows = Script(client, "board_rows")
        self._ranks = Script(client, "board_ranks")
        self._remove = Script(client, "board_remove")
        self._replace = Script(client, "board_replace")
        self._add_up = Script(client, "board_add_up")

    async def submit(self, board: Board, standing: Standing) -> bool:
        names = [*_of(board), keys.board_removed(board.home), keys.board_version(board.home)]
        row: tuple[Part, ...] = (standing.player, standing.key, _packed(standing))
        return bool(await self._submit(names, [*row, _new_version()]))

    async def page(self, board: Board, cursor: str | None, limit: int) -> BoardPage:
        place: list[Part] = ["", ""]
        if cursor is not None:
            key, player = place_of(cursor)
            place = [player, key]
        return _page(await self._rows(_of(board), [*place, 0, limit - 1]))

    async def around(self, board: Board, player: str, each_side: int) -> BoardPage:
        return _page(await self._rows(_of(board), [player, "", each_side, each_side]))

    async def among(self, board: Board, players: Sequence[str]) -> BoardPage:
        size, *found = await self._ranks(_of(board), list(dict.fromkeys(players)))
        rows = [Ranked(1 + better, _standing(player, key, result)) for player, key, better, result in found]
        return BoardPage(sorted(rows, key=in_order, reverse=True), size, None)

    async def rank(self, board: Board, player: str) -> int | None:
        found = await self.among(board, [player])
        return found.rows[0].rank if found.rows else None

    async def versions(self, homes: Sequence[str]) -> list[int]:
        names = map(keys.board_version, homes)
        said = await self._client.ask_each([(name, (("GET", name),)) for name in names])
        return [int(version or 0) for [version] in said]

    async def remove(self, home: str, player: str) -> bool:
        names = [keys.board_removed(home), keys.board_version(home)]
        for board in _boards(home):
            names += [*_of(board), keys.board_days(*board, player)]
        return bool(await self._remove(names, [player, _new_version()]))

    async def removed(self, home: str) -> set[str]:
        name = keys.board_removed(home)
        [players] = await self._client.ask(name, ("SMEMBERS", name))
        return set(map(text, players))

    async def rebuild(self, home: str, boards: dict[Board, list[Standing]]) -> None:
        token = secrets.token_hex(8)
        names = [keys.board_removed(home), keys.board_version(home)]
        sizes = []
        for board in _boards(home):
            draft = keys.board_draft(home, token, *board[1:]), keys.board_draft_rows(home, token, *board[1:])
            standings = boards.get(board, [])
            for first in range(0, len(standings), BATCH):
                await self._client.ask(draft[0], *_drafting(*draft, standings[first : first + BATCH]))
            names += [*_of(board), *draft]
            sizes.append(len(standings))
        if not await self._replace(names, [_new_version(), *sizes]):
            raise StoreUnavailable("a part of the new boards was lost")

    async def add_up(self, board: Board, player: str, date: str, value: int | None, best: int) -> None:
        names = [
            keys.board(*board),
            keys.board_days(*board, player),
            keys.board_removed(board.home),
            keys.board_version(board.home),
        ]
        worth = "" if value is None else value
        await self._add_up(names, [player, date, worth, best, MEAN_OF, _new_version()])


def _boards(home: str) -> list[Board]:
    """All boards that a home can have."""
    return [Board(home, scope, field) for scope in Scope for field in Field]


def _of(board: Board) -> list[str]:
    return [keys.board(*board), keys.board_rows(*board)]


def _new_version() -> int:
    """A number that no version was before, for all that chance can tell; one that is counted up could come again after
    a promotion that lost some changes."""
    return secrets.randbits(53)


def _packed(standing: Standing) -> bytes:
    return b"" if standing.result is None else _encode(standing.result)


def _drafting(draft: str, rows: str, standings: Sequence[Standing]) -> list[Command]:
    """The commands that put some rows into a draft; they may be repeated."""
    results = [part for one in standings if one.result for part in (one.player, _packed(one))]
    commands: list[Command] = [
        ("ZADD", draft, *(part for one in standings for part in (one.key, one.player))),
        ("EXPIRE", draft, DRAFT_SECONDS),
    ]
    if results:
        commands += [("HSET", rows, *results), ("EXPIRE", rows, DRAFT_SECONDS)]
    return commands


def _page(said: Any) -> BoardPage:
    """What the script told of a board."""
    size, *found = said
    if not found:
        return BoardPage([], size, None)
    first, better, flat, results = found
    standings = [_standing(*one) for one in zip(flat[::2], flat[1::2], results, strict=True)]
    has_more = first + len(standings) < size
    return BoardPage(list(ranked(standings, first, 1 + better)), size, cursor_of(standings[-1]) if has_more else None)


def _standing(player: bytes, key: bytes, result: bytes | None) -> Standing:
    """A row; without the result where that is damaged, which must not cost the others."""
    try:
        found = None if result is None else _decode(result)
    except msgspec.DecodeError as error:
        _log.error("a result is damaged: %s", error, extra={"player": text(player)})
        found = None
    return Standing(text(player), int(key), found)
