"""Whatever is sent, the service answers as the contract says: generated requests, good and bad, at the real service."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig

from service.engine.game import ENGINE_VERSION
from service.ports import SeatHolder, SessionMeta, StoredPlayer
from service.store.redis.store import RedisStore
from tests.conftest import Emptied
from tests.contract.documents import DOCUMENT
from tests.live.today import keep_today
from tests.web.playing import ONE_LEFT, TO_AND_FRO
from tests.web.running import running


def digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


CASES = 50
"""How many generated requests each operation gets, besides those that try every limit of its schema."""
TOKEN = "a token"
CODE = "7KQ2M-9XVTA-C4H8R-ZW5EP"
PLAYER, STRANGER = (
    StoredPlayer(id=f"player of {token}", name="Quiet Heron", created=0, recovery_digest=digest(code))
    for token, code in ((TOKEN, CODE), ("another token", "another code"))
)
INVITE = "7KQ2-M9XV"
SESSIONS = [
    SessionMeta(
        id=f"s{number}",
        rules=rules,
        deal=deal,
        secret=deal.startswith("seed:"),
        spectators=spectators,
        engine=ENGINE_VERSION,
        created=0,
        updated=0,
        status="playing",
        is_open=True,
        mode="solo",
        capacity=1,
        invite="",
        seats=(SeatHolder(player.id, player.name),),
    )
    for number, (rules, deal, player, spectators) in enumerate(
        [
            ("modern", "pysol:1", PLAYER, True),
            ("cadogan", "pysol:1", PLAYER, True),
            ("modern", f"seed:{'0' * 64}", PLAYER, False),
            ("modern", "pysol:1", STRANGER, True),
            ("modern", "pysol:1", STRANGER, False),
        ]
    )
]
SESSIONS += [
    replace(
        SESSIONS[0],
        id=f"shared{number}",
        mode=mode,
        capacity=3,
        invite=INVITE,
        seats=tuple(SeatHolder(player.id, player.name) for player in players),
    )
    for number, (mode, players) in enumerate([("free_hands", (STRANGER, PLAYER)), ("turns", (STRANGER,))])
]
UNCHECKED = {
    "positive_data_acceptance": "What fits its schema can still be refused: a text that is no deal, a cursor that no "
    "page gave, an illegal move, a place that is named twice or not at all.",
}
CONFIG = {
    "auth": {"openapi": {"player": {"bearer": TOKEN}}},
    "dictionaries": {
        "sessions": {"values": [session.id for session in SESSIONS]},
        "moves": {"values": ["b1G", "c1G", "a2g1", "S", "a1b1"]},
        "places": {"values": [0, 1]},
        "invites": {"values": [INVITE]},
        "deals": {"values": ["1", "pysol:1", f"seed:{'0' * 64}", ONE_LEFT, TO_AND_FRO]},
        "dates": {"values": ["today", "2026-02-03", "2026-02-29"]},
        "periods": {"values": ["week", "2026-02", "all", "2026-W60"]},
        "presets": {"values": ["modern", "pysol"]},
        "waits": {"values": [1]},
        "difficulties": {"values": ["gentle"]},
        "players": {"values": [STRANGER.id, PLAYER.id]},
        "codes": {"values": [CODE]},
        "names": {"values": ["Ada L.", "Ада", "admin", "\u0430dmin"]},
    },
    "parameters": {
        "path.session": {"dictionary": "sessions", "probability": 0.8},
        "body.move": {"dictionary": "moves", "probability": 0.8},
        "body.at": {"dictionary": "places", "probability": 0.8},
        "path.deal": {"dictionary": "deals", "probability": 0.8},
        "query.wait": {"dictionary": "waits", "probability": 0.8},
        "body.difficulty": {"dictionary": "difficulties", "probability": 0.8},
        "query.rules": {"dictionary": "presets", "probability": 0.8},
        "path.date": {"dictionary": "dates", "probability": 0.8},
        "path.period": {"dictionary": "periods", "probability": 0.8},
        "path.rules": {"dictionary": "presets", "probability": 0.8},
        "path.player": {"dictionary": "players", "probability": 0.8},
        "body.recovery_code": {"dictionary": "codes", "probability": 0.5},
        "body.name": {"dictionary": "names", "probability": 0.5},
        "body.invite": {"dictionary": "invites", "probability": 0.5},
    },
    "generation": {"deterministic": True, "max-examples": CASES, "database": "none", "no-shrink": True},
    "cache": {"enabled": False},
    "checks": {name: {"enabled": False} for name in UNCHECKED},
}


@pytest.fixture(scope="module")
def url(emptied: Emptied) -> Iterator[str]:
    """The service, with players, sessions and a challenge that there are."""
    redis = emptied("valkey")

    async def fill() -> None:
        store = RedisStore(redis.url, session_ttl=0)
        for player, token in ((PLAYER, TOKEN), (STRANGER, "another token")):
            await store.players.add(player, digest(token))
        for session in SESSIONS:
            await store.sessions.create(session)
        await keep_today(store)
        await store.close()

    asyncio.run(fill())
    with running(redis) as service:
        yield service.url


schema = (
    schemathesis.openapi.from_dict(DOCUMENT, config=SchemathesisConfig.from_dict(CONFIG))
    .exclude(operation_id=["streamEvents", "streamDayBoard"])  # their answers have no end
    .exclude(operation_id="deletePlayer")  # nobody would be left to ask for the others
)


@schema.parametrize()
def test_the_service_answers_as_the_contract_says(case: schemathesis.Case[Any], url: str) -> None:
    case.call_and_validate(base_url=url)
