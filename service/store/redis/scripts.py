"""The Lua files, each an atomic step; the keys of one session, or of one player, share a slot."""

from collections.abc import Sequence
from hashlib import sha1
from importlib import resources
from typing import Any

from redis.exceptions import NoScriptError

from service.store.redis.client import Client
from service.store.redis.link import Part


class Script:
    """A script, to be called with keys and arguments; one that a node does not know is sent to it."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._source = source(name)
        self._sha = digest(self._source)

    async def __call__(self, keys: Sequence[str], arguments: Sequence[Part]) -> Any:
        """What the script returns; raises StoreUnavailable."""
        rest = (len(keys), *keys, *arguments)
        try:
            [said] = await self._client.ask(keys[0], ("EVALSHA", self._sha, *rest))
        except NoScriptError:
            [said] = await self._client.ask(keys[0], ("EVAL", self._source, *rest))
        return said


def source(name: str) -> str:
    """The text of a script."""
    return resources.files("service.store.redis").joinpath("lua", f"{name}.lua").read_text("utf-8")


def digest(text: str) -> str:
    """By which a server knows a script."""
    return sha1(text.encode()).hexdigest()  # noqa: S324 - it keeps no secret
