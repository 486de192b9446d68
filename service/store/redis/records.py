"""Each player's days in Redis: a hash for each preset, in the player's slot."""

from typing import Final

from service.engine.rules import PRESETS
from service.ports.daily import Day, PlayedDay, RunKind
from service.store.redis import keys
from service.store.redis.client import Client, text, texts
from service.store.redis.scripts import Script

_GOES_ON: Final = "-"
"""The points of a run that goes on."""


class RedisRecords:
    """What players' records say of their days."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._begin, self._conclude = Script(client, "record_begin"), Script(client, "record_conclude")

    async def begin(self, player: str, day: Day, run: PlayedDay) -> PlayedDay:
        return _run(text(await self._begin(_keys(player, day), [day.date, _text(run)])))

    async def conclude(self, player: str, day: Day, run: PlayedDay) -> None:
        await self._conclude(_keys(player, day), [day.date, f"{run.session} ", _text(run)])

    async def days(self, player: str, rules: str) -> dict[str, PlayedDay]:
        name = keys.player_days(player, rules)
        [fields] = await self._client.ask(name, ("HGETALL", name))
        return {date: _run(run) for date, run in texts(fields).items()}

    async def dates(self, player: str) -> set[str]:
        names = [keys.player_days(player, rules) for rules in PRESETS]
        found = await self._client.ask(names[0], *(("HKEYS", name) for name in names))
        return {text(date) for dates in found for date in dates}


def _keys(player: str, day: Day) -> tuple[str, str]:
    return keys.player(player), keys.player_days(player, day.rules)


def _text(run: PlayedDay) -> str:
    session, kind, begun, moves, won, points = run
    return f"{session} {kind} {begun} {moves:d} {won:d} {_GOES_ON if points is None else points}"


def _run(text: str) -> PlayedDay:
    session, kind, begun, moves, won, points = text.split(" ")
    reached = None if points == _GOES_ON else int(points)
    return PlayedDay(session, RunKind(kind), int(begun), moves == "1", won == "1", reached)
