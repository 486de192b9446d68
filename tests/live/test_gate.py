"""Who may open a socket: pages of which origins, and how many from where; and whose word for an address is believed."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import websockets

from tests.conftest import Emptied
from tests.live.client import guest, opened, place, watching
from tests.live.replica import replica

Answer = tuple[int, str]

PATHS = ["/v1/live", "/v1/sessions/any/live"]
PROXY = "127.0.0.7"
PAGE = "https://play.example"
MOST, MOST_OF_ONE = 6, 4
REMAINING = "RateLimit-Remaining"


@pytest.fixture(scope="module")
def gate(emptied: Emptied, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a service with a proxy, few sockets, and pages elsewhere."""
    log = tmp_path_factory.mktemp("gate") / "service.log"
    settings = {
        "ORIGINS": f"{PAGE}, https://two.example:8443",
        "FORWARDED_ALLOW_IPS": PROXY,
        "SOCKETS": str(MOST),
        "SOCKETS_PER_ADDRESS": str(MOST_OF_ONE),
        "COMMANDS_PER_MINUTE": "3",
    }
    with replica(emptied("valkey").url, log, **settings) as one:
        yield one.url
        assert "Traceback" not in one.log


LET_IN = (101, "")
FOREIGN = (403, "foreign_origin")


async def answer_to(
    url: str, path: str = "/v1/live", address: str = "127.0.0.1", host: str | None = None, **headers: str
) -> Answer:
    """What a socket from an address is told before it is open: the status, and the code of the problem."""
    to = httpx.URL(url)
    connecting = websockets.connect(
        f"ws://{host or to.netloc.decode()}{path}",
        additional_headers={name.replace("_", "-"): value for name, value in headers.items()},
        host=to.host,
        port=to.port,
        local_addr=(address, 0),
    )
    try:
        async with connecting:
            return LET_IN
    except websockets.InvalidStatus as refusal:
        response = refusal.response
        assert response.headers["content-type"] == "application/problem+json"
        problem = json.loads(response.body)
        assert problem["status"] == response.status_code
        return response.status_code, problem["code"]


@pytest.mark.parametrize("path", PATHS)
async def test_a_program_names_no_origin_and_is_let_in(gate: str, path: str) -> None:
    assert await answer_to(gate, path) == LET_IN


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("origin", [PAGE, "https://two.example:8443"])
async def test_a_page_of_a_listed_origin_is_let_in(gate: str, path: str, origin: str) -> None:
    assert await answer_to(gate, path, Origin=origin) == LET_IN


async def test_a_page_of_the_services_own_is_let_in(gate: str) -> None:
    assert await answer_to(gate, Origin=gate) == LET_IN


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "origin",
    [
        "http://play.example",
        "https://play.example:8443",
        "https://play.example.evil.example",
        "https://evil.example/https://play.example",
        "https://a.play.example",
        "https://two.example",
        "HTTPS://PLAY.EXAMPLE",
        "http://127.0.0.1",
        "https://127.0.0.1:{port}",
        "null",
        "",
        "*",
    ],
)
async def test_a_page_of_any_other_origin_is_not(gate: str, path: str, origin: str) -> None:
    assert await answer_to(gate, path, Origin=origin.format(port=httpx.URL(gate).port)) == FOREIGN


async def test_behind_a_trusted_proxy_the_services_own_pages_have_the_scheme_that_it_tells(gate: str) -> None:
    async def answer(address: str, origin: str, host: str = "cards.example") -> Answer:
        return await answer_to(gate, "/v1/live", address, host, Origin=origin, X_Forwarded_Proto="https")

    for host in ("cards.example", "cards.example:443", "Cards.Example"):
        assert await answer(PROXY, "https://cards.example", host) == LET_IN
    assert await answer(PROXY, "http://cards.example") == FOREIGN
    assert await answer("127.0.0.8", "https://cards.example") == FOREIGN


async def test_an_address_has_so_many_sockets_and_all_together_so_many(gate: str) -> None:
    async with contextlib.AsyncExitStack() as stack:

        async def enter(count: int, address: str, **headers: str) -> None:
            options: dict[str, Any] = {"local_addr": (address, 0), "additional_headers": headers}
            for _ in range(count):
                await stack.enter_async_context(opened(gate, None, **options))

        await enter(MOST_OF_ONE, PROXY, **{"X-Forwarded-For": "192.0.2.1"})
        assert await answer_to(gate, "/v1/live", PROXY, X_Forwarded_For="192.0.2.1") == (429, "too_many_sockets")
        assert await stream_from(gate, "192.0.2.1") == (429, "too_many_sockets")
        assert await stream_from(gate, "192.0.2.2") == (404, "no_such_session")
        await enter(MOST - MOST_OF_ONE, PROXY, **{"X-Forwarded-For": "192.0.2.2"})
        assert await stream_from(gate, "192.0.2.2") == (503, "too_many_sockets")
        assert await answer_to(gate, "/v1/live", PROXY, X_Forwarded_For="192.0.2.2") == (503, "too_many_sockets")
        assert await answer_to(gate, "/v1/sessions/any/live") == (503, "too_many_sockets")

    assert await let_in_at_last(gate, PROXY, X_Forwarded_For="192.0.2.1")


async def test_sockets_that_come_all_at_once_are_no_more(gate: str) -> None:
    opening = [asyncio.create_task(stays_open(gate)) for _ in range(3 * MOST)]
    links = [link for link in await asyncio.gather(*opening) if link is not None]
    for link in links:
        await link.close()

    assert len(links) == MOST_OF_ONE


async def stream_from(url: str, address: str) -> Answer:
    """What whoever the proxy calls by this address is told instead of a stream of events."""
    transport = httpx.AsyncHTTPTransport(local_address=PROXY)
    async with httpx.AsyncClient(base_url=url, transport=transport) as http:
        answer = await http.get("/v1/sessions/any/stream", headers={"X-Forwarded-For": address})
    return answer.status_code, answer.json()["code"]


async def let_in_at_last(url: str, address: str, **headers: str) -> bool:
    """Whether a socket is let in, once those that were closed are gone."""
    for _ in range(100):
        if await answer_to(url, address=address, **headers) == LET_IN:
            return True
        await asyncio.sleep(0.02)
    return False


async def stays_open(url: str) -> websockets.ClientConnection | None:
    """A socket that nobody closes, unless it is refused."""
    try:
        return await websockets.connect(url.replace("http", "ws", 1) + "/v1/live")
    except websockets.InvalidStatus:
        return None


async def test_commands_of_a_socket_are_limited_and_the_socket_stays(gate: str) -> None:
    async with guest(gate) as player:
        session = await player.deal()
        async with watching(gate, session, player) as socket:
            answers = [await socket.ask("play", session=session["id"], move="c1c1", **place(session)) for _ in range(5)]
            await socket.say("ping")
            assert (await socket.hear())["type"] == "pong"

    assert [answer["type"] for answer in answers] == ["refused"] * 5
    assert [answer["code"] for answer in answers] == ["illegal_move"] * 3 + ["rate_limited"] * 2
    assert [answer["at"] for answer in answers] == [0] * 5


async def test_a_proxy_that_nobody_trusts_is_not_believed(service: str) -> None:
    async with httpx.AsyncClient(base_url=service) as http:
        left = [
            int((await http.post("/v1/players", headers={"X-Forwarded-For": f"192.0.2.{n}"})).headers[REMAINING])
            for n in range(3)
        ]

    assert left[-1] < left[0]


async def test_a_trusted_proxy_is_believed_for_http_too(gate: str) -> None:
    transport = httpx.AsyncHTTPTransport(local_address=PROXY)
    async with httpx.AsyncClient(base_url=gate, transport=transport) as http:
        for _ in range(2):
            left = [
                int((await http.post("/v1/players", headers={"X-Forwarded-For": f"192.0.2.{n}"})).headers[REMAINING])
                for n in range(2)
            ]
            assert left[0] == left[1]
