"""Debian's Chromium, or the one that CHROMIUM names, without all that it does of its own accord."""

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest
from playwright.async_api import Browser, async_playwright

PROGRAM: Final = Path(os.environ.get("CHROMIUM") or "/usr/bin/chromium")
ALONE: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    if not PROGRAM.exists():
        pytest.fail(f"There is no Chromium at {PROGRAM}: install it, or name one in CHROMIUM.", pytrace=False)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=PROGRAM, args=ALONE)
        try:
            yield browser
        finally:
            await browser.close()
