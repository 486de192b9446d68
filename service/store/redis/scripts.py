"""The Lua files, each an atomic step; the keys of one session, or of one player, share a slot."""

from importlib import resources

from redis.commands.core import AsyncScript

from service.store.redis.client import Client


class Scripts:
    """The scripts, ready to be called with keys and arguments; one that the server has forgotten is sent again."""

    def __init__(self, client: Client) -> None:
        self.claim = _script(client, "claim")
        self.create = _script(client, "create")
        self.commit = _script(client, "commit")


def source(name: str) -> str:
    """The text of a script."""
    return resources.files("service.store.redis").joinpath("lua", f"{name}.lua").read_text("utf-8")


def _script(client: Client, name: str) -> AsyncScript:
    return client.register_script(source(name))
