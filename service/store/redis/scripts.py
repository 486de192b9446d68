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
        self._load = ("SCRIPT", "LOAD", source(name))
        self._sha = digest(source(name))

    async def __call__(self, keys: Sequence[str], arguments: Sequence[Part]) -> Any:
        """What the script returns; raises StoreUnavailable."""
        command = ("EVALSHA", self._sha, len(keys), *keys, *arguments)
        try:
            [said] = await self._client.ask(keys[0], command)
        except NoScriptError:
            _, said = await self._client.ask(keys[0], self._load, command)
        return said


def source(name: str) -> str:
    """The text of a script."""
    return resources.files("service.store.redis").joinpath("lua", f"{name}.lua").read_text("utf-8")


def digest(text: str) -> str:
    """By which a server knows a script."""
    return sha1(text.encode()).hexdigest()  # noqa: S324 - it keeps no secret
