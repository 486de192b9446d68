"""What an operator can set, by environment variables; only the composition root reads it."""

import os
from collections.abc import Set
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def _listed(value: Any) -> Any:
    """What a text lists, with commas between."""
    return {one for part in value.split(",") if (one := part.strip())} if isinstance(value, str) else value


Origin = Annotated[str, Field(pattern=r"^([a-z][a-z0-9+.-]*://[^/\sA-Z]+|null)$")]
"""A scheme, a host and a port that is not the scheme's own, as browsers write them."""


class Settings(BaseSettings):
    """The settings, each with its variable's name in capitals; an empty variable is none."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True)

    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    redis_url: str = Field(
        "",
        description="The Redis or Valkey to use, as redis://, redis+sentinel:// or redis+cluster://; "
        "none starts the embedded server.",
    )
    data: Path = Field(Path("data"), description="The folder of the embedded server.")
    session_days: float = Field(
        90, ge=0, le=36500, description="Days after which a session that nobody plays expires; 0 for never."
    )
    cached_sessions: int = Field(10_000, ge=1, description="Sessions that a process keeps in memory.")
    solvers: int = Field(
        max(1, (os.cpu_count() or 1) - 1), ge=0, description="Processes that solve; with 0 the workers do, over Redis."
    )
    days_ahead: int = Field(
        30, ge=0, le=366, description="Days of the daily challenge to prepare ahead; 0 leaves the challenge to others."
    )

    players_per_hour: int = Field(3600, ge=0, description="Players that an address may make.")
    recoveries_per_hour: int = Field(600, ge=0, description="Recovery codes that an address may try.")
    sessions_per_hour: int = Field(10_000, ge=0, description="Sessions that a player may deal.")
    tickets_per_minute: int = Field(6000, ge=0, description="Tickets that a player may have.")
    commands_per_minute: int = Field(
        30_000, ge=0, description="Moves and other commands of a player, over a socket for each session."
    )
    hints_per_minute: int = Field(600, ge=0, description="Hints, and questions whether a game can be won, of a player.")
    analyses_per_minute: int = Field(
        120, ge=0, description="Analyses, questions about deals, and winnable deals, of a player."
    )
    reads_per_minute: int = Field(30_000, ge=0, description="What a player may read, or an address without a token.")
    polls_per_minute: int = Field(6000, ge=0, description="How often the same may ask for events.")
    requests_per_minute: int = Field(120_000, ge=0, description="Requests and new sockets of an address, of any kind.")
    sockets: int = Field(20_000, ge=0, description="Sockets that a process has open.")
    sockets_per_address: int = Field(5000, ge=0, description="Sockets that an address has open to a process.")
    origins: Annotated[Set[Origin], NoDecode, BeforeValidator(_listed)] = Field(
        frozenset(), description="Origins whose pages may open sockets, beside the service's own."
    )
    forwarded_allow_ips: str = Field(
        "", description="Addresses and networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed."
    )

    @property
    def session_ttl(self) -> int:
        """Milliseconds for which an idle session is kept, 0 for ever."""
        return int(self.session_days * 24 * 60 * 60 * 1000)
