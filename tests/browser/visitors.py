"""Somebody with a browser profile of their own, whose pages may not complain of anything."""

import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, StorageState, WebSocket

from tests.live.client import Guest

RECORDER: Final = Path(__file__).with_name("recorder.js")
MEASURES: Final = Path(__file__).with_name("measures.js")
PATIENCE_MS: Final = 10_000
KNOWN: Final[dict[str, Any]] = {"coached": True, "language": "en"}
"""The settings of somebody who has been here before."""


class Visitor:
    """A profile and its pages; `complaints` is all that went wrong on them, which has to stay empty."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.complaints: list[str] = []
        self._excused: list[re.Pattern[str]] = []
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self._complain(f"an exception: {error.error}"))
        context.on("request", self._see_request)
        context.on("page", lambda page: page.on("websocket", self._see_socket))

    async def open(self, path: str = "/") -> Page:
        """A page at an address of the client."""
        page = await self.context.new_page()
        await page.goto(self.url + path)
        return page

    def excuse(self, pattern: str) -> None:
        """Takes complaints that fit for what a test has brought about."""
        self._excused.append(re.compile(pattern))

    def must_be_content(self) -> None:
        complaints = [one for one in self.complaints if not any(pattern.search(one) for pattern in self._excused)]
        assert complaints == []

    def _complain(self, of: str) -> None:
        self.complaints.append(of)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:  # what the page's policy blocks is told as an error
            self._complain(f"the console: {message.text} ({message.location['url']})")

    def _see_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "blob:")):
            self._complain(f"a request to another origin: {request.url}")

    def _see_socket(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.url).netloc:
            self._complain(f"a socket to another origin: {socket.url}")


async def identity(player: Guest) -> str:
    """What the client remembers of who plays on this device."""
    me = (await player.http.get("/v1/players/me")).json()
    return json.dumps({"id": player.id, "name": me["name"], "token": player.token, "recoveryCode": None})


async def visitor(
    browser: Browser, url: str, player: Guest | None = None, settings: dict[str, Any] | None = None, **options: Any
) -> Visitor:
    """A new profile, a player's or nobody's yet, with these settings (None: those of a newcomer)."""
    kept = {"settings": json.dumps(settings)} if settings is not None else {}
    if player:
        kept["player"] = await identity(player)
    stored: StorageState = {
        "cookies": [],
        "origins": [{"origin": url, "localStorage": [{"name": name, "value": kept[name]} for name in kept]}],
    }
    context = await browser.new_context(
        storage_state=stored,
        **({"locale": "en-GB", "viewport": {"width": 1280, "height": 800}} | options),
    )
    for script in RECORDER, MEASURES:
        await context.add_init_script(path=script)
    return Visitor(context, url)
