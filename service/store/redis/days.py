"""Days in Redis: a hash and two sorted sets each, in one slot, and the little that is about all days in another.

A run is a text that begins with its session and a space, so that it is found by that. None is ever taken away, so that
whoever reads them by number can meet a run twice, and misses none, while others come.
"""

from collections.abc import Sequence

from service.ports.daily import Day, Entrant, Field, RunKind, StoredDay
from service.store.redis import keys
from service.store.redis.client import Client, text, texts
from service.store.redis.link import Part
from service.store.redis.scripts import Script


class RedisDays:
    """Days, their runs, and the lease of whoever keeps them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._add, self._enter = Script(client, "day_add"), Script(client, "day_enter")
        self._void, self._finish = Script(client, "day_void"), Script(client, "day_finish")
        self._lease = Script(client, "lease")

    async def add(self, day: StoredDay) -> StoredDay:
        fields: list[Part] = [
            *("deal", day.deal),
            *("difficulty", day.difficulty),
            *("plan", day.plan),
            *("par", day.par),
            *("commitment", day.commitment),
            *("committed", day.committed),
        ]
        kept = await self._add([keys.day(str(day.day))], fields)
        return _day(day.day, dict(zip(kept[::2], kept[1::2], strict=True)))

    async def find(self, days: Sequence[Day]) -> list[StoredDay | None]:
        names = [keys.day(str(day)) for day in days]
        found = await self._client.ask_each([(name, (("HGETALL", name),)) for name in names])
        return [_day(day, fields) if fields else None for day, [fields] in zip(days, found, strict=True)]

    async def void(self, day: Day) -> None:
        name = keys.daily_void(day.rules)
        await self._client.ask(name, ("SADD", name, day.date))
        await self._void([keys.day(str(day))], [])

    async def voided(self, rules: str) -> set[str]:
        name = keys.daily_void(rules)
        [dates] = await self._client.ask(name, ("SMEMBERS", name))
        return set(map(text, dates))

    async def finish(self, day: Day, time: int, summary: str) -> None:
        await self._finish([keys.day(str(day))], [time, summary])

    async def enter(self, day: Day, entrant: Entrant) -> None:
        names = [keys.day_runs(str(day)), keys.day_unsettled(str(day))]
        await self._enter(names, [f"{entrant.session} ", _text(entrant)])

    async def entrant(self, day: Day, session: str) -> Entrant | None:
        name = keys.day_runs(str(day))
        [found] = await self._client.ask(name, ("ZRANGE", name, *_of(session), "BYLEX", "LIMIT", 0, 1))
        return _entrant(found[0]) if found else None

    async def entrants(self, day: Day, cursor: int, limit: int) -> tuple[list[Entrant], int]:
        name = keys.day_runs(str(day))
        [page] = await self._client.ask(name, ("ZRANGE", name, cursor, cursor + limit - 1))
        return [_entrant(run) for run in page], cursor + limit if len(page) == limit else 0

    async def unsettled(self, day: Day, after: str, limit: int) -> list[Entrant]:
        name = keys.day_unsettled(str(day))
        first = _of(after)[1] if after else "-"
        [page] = await self._client.ask(name, ("ZRANGE", name, first, "+", "BYLEX", "LIMIT", 0, limit))
        return [_entrant(run) for run in page]

    async def settle(self, day: Day, session: str) -> None:
        name = keys.day_unsettled(str(day))
        await self._client.ask(name, ("ZREMRANGEBYLEX", name, *_of(session)))

    async def lease(self, holder: str, milliseconds: int) -> bool:
        return bool(await self._lease([keys.DAILY_LEASE], [holder, milliseconds]))


def _of(session: str) -> tuple[Part, Part]:
    """Between which bounds a session's run is."""
    begun = f"{session} ".encode()
    return b"[" + begun, b"(" + begun + b"\xff"


def _text(entrant: Entrant) -> str:
    session, player, kind, field, is_timed = entrant
    return f"{session} {player} {kind} {field} {is_timed:d}"


def _entrant(run: object) -> Entrant:
    session, player, kind, field, is_timed = text(run).split(" ")
    return Entrant(session, player, RunKind(kind), Field(field), is_timed == "1")


def _day(day: Day, answer: object) -> StoredDay:
    fields = texts(answer)
    return StoredDay(
        day=day,
        deal=fields["deal"],
        difficulty=fields["difficulty"],
        plan=fields["plan"],
        par=int(fields["par"]),
        commitment=fields["commitment"],
        committed=int(fields["committed"]),
        is_void="void" in fields,
        final=int(fields["final"]) if "final" in fields else None,
        summary=fields.get("summary", ""),
    )
