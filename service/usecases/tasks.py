"""Tasks that belong together."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

CANCEL_SECONDS: Final = 0.1
"""How long a task that is cancelled may take before it is cancelled again."""


async def until_one_ends(*coroutines: Coroutine[Any, Any, None]) -> None:
    """Runs all until one ends, ends the others, and raises what the first raised.

    A TaskGroup cancels once; but before Python 3.12 `asyncio.wait_for`, by which the store's client sends, can lose
    a cancellation, and whoever waits for that task then waits for ever.
    """
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        while pending := [task for task in tasks if not task.done()]:
            for task in pending:
                task.cancel()
            await asyncio.wait(pending, timeout=CANCEL_SECONDS)
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
