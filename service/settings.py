"""What an operator can set, by environment variables and files; only the composition root reads it."""

import os
import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BeforeValidator, DirectoryPath, Field, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

_NAMES_NO_PASSWORD = re.compile(r"(?!.*[?&]password=)([a-z+]+://)(?:([^/?:@]*)@)?(?=[^/?@]*(?:[/?]|$))")
"""A URL's scheme and user, where no password follows."""


def _listed(value: Any) -> Any:
    """What a text lists, with commas between."""
    return {one for part in value.split(",") if (one := part.strip())} if isinstance(value, str) else value


Origin = Annotated[str, Field(pattern=r"^([a-z][a-z0-9+.-]*://[^/\sA-Z]+|null)$")]
"""A scheme, a host and a port that is not the scheme's own, as browsers write them."""


class Settings(BaseSettings):
    """The settings, each with its variable's name in capitals; an empty variable is none.

    A file of the folder `secrets` that has a setting's name sets it too, where no variable does.
    """

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True)

    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    redis_url: str = Field(
        "",
        repr=False,
        description="The Redis or Valkey to use: one server (`redis://`, `rediss://`, `unix://`), behind Sentinels "
        "(`redis+sentinel://host:port,host:port/service`) or as a Cluster (`redis+cluster://host:port,host:port`); "
        "without it the embedded server is started.",
    )
    redis_password: SecretStr = Field(
        SecretStr(""), description="The password of the servers, where `REDIS_URL` names none."
    )
    data: Path = Field(Path("data"), description="The embedded server's folder.")
    secrets: DirectoryPath | None = Field(
        None,
        description="A folder whose files are settings, named as they are in small letters, as `redis_password`; "
        "a variable goes before a file. `constitution secrets` makes such files.",
    )
    session_days: float = Field(
        90, ge=0, le=36500, description="Days after which an idle session expires; 0 for never."
    )
    cached_sessions: int = Field(10_000, ge=1, description="Sessions that a process keeps in memory.")
    solvers: int = Field(
        max(1, (os.cpu_count() or 1) - 1),
        ge=0,
        description="Processes that search for wins; with 0 `constitution worker` does.",
        json_schema_extra={"default": "one less than there are cores, but one"},
    )
    days_ahead: int = Field(
        30,
        ge=0,
        le=366,
        description="Days of the daily challenge to prepare ahead; 0 leaves the challenge to other services on the "
        "same Redis.",
    )

    players_per_hour: int = Field(3600, ge=0, description="Players that an address may make.")
    recoveries_per_hour: int = Field(600, ge=0, description="Recovery codes that an address may try.")
    sessions_per_hour: int = Field(10_000, ge=0, description="Sessions that a player may deal.")
    tickets_per_minute: int = Field(6000, ge=0, description="Tickets that a player may have.")
    commands_per_minute: int = Field(
        30_000, ge=0, description="Moves and other commands of a player; over sockets, of a player in a session."
    )
    hints_per_minute: int = Field(600, ge=0, description="Hints and questions of a player whether a game can be won.")
    analyses_per_minute: int = Field(
        120, ge=0, description="Analyses, questions about deals, and winnable deals of a player."
    )
    reads_per_minute: int = Field(30_000, ge=0, description="What a player may read, or an address without a token.")
    polls_per_minute: int = Field(6000, ge=0, description="How often the same may ask for events.")
    requests_per_minute: int = Field(120_000, ge=0, description="Requests and new sockets of an address, of any kind.")
    sockets: int = Field(20_000, ge=0, description="Sockets and event streams that a process has open.")
    sockets_per_address: int = Field(5000, ge=0, description="Those that an address has open to a process.")
    origins: Annotated[Set[Origin], NoDecode, BeforeValidator(_listed)] = Field(
        frozenset(),
        description="Origins, with commas between, whose pages may open sockets, beside the service's own.",
    )
    forwarded_allow_ips: str = Field(
        "",
        description="Addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.",
    )

    notice_seconds: float = Field(
        0,
        ge=0,
        le=60,
        description="How long a service that is told to stop only says so at `/readyz`, while all goes on, before it "
        "sends anybody away: longer than a proxy takes to notice.",
    )

    metrics_token: SecretStr = Field(
        SecretStr(""),
        description="Who shows it as a bearer token is answered `/metrics`; without it, only this machine is.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning",
        description="From when on something is logged, to standard error: `debug`, `info` (each request, and each "
        "socket's end), `warning` or `error`.",
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="The lines of the log: `text` for people, or `json`, an object each."
    )
    otel_exporter_otlp_endpoint: str = Field(
        "",
        description="The OpenTelemetry collector that traces are sent to, by OTLP over HTTP; without it none are made.",
    )
    otel_exporter_otlp_traces_endpoint: str = Field(
        "", description="The same as the whole URL, where the collector's traces are not at `/v1/traces`."
    )

    @property
    def session_ttl(self) -> int:
        """Milliseconds for which an idle session is kept, 0 for ever."""
        return int(self.session_days * 24 * 60 * 60 * 1000)

    @property
    def store_url(self) -> str:
        """The URL of the store with its password, which is for nobody's eyes; empty for the embedded server."""
        password = quote(self.redis_password.get_secret_value(), safe="")
        if not password:
            return self.redis_url
        return _NAMES_NO_PASSWORD.sub(lambda found: f"{found[1]}{found[2] or ''}:{password}@", self.redis_url, count=1)

    @property
    def traces(self) -> bool:
        """Whether a collector of traces is named."""
        return bool(self.otel_exporter_otlp_endpoint or self.otel_exporter_otlp_traces_endpoint)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is pydantic-settings'
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given, then the environment, then the files; a folder that is not there is left to its field."""
        folder = env_settings().get("secrets")
        if not folder or not Path(folder).is_dir():
            return init_settings, env_settings
        return init_settings, env_settings, SecretsSettingsSource(settings_cls, folder)


def table() -> Iterator[str]:
    """The settings as the lines of a Markdown table."""
    yield "| variable | default | what it sets |"
    yield "| --- | --- | --- |"
    for name, field in Settings.model_fields.items():
        said = (field.description or "").removesuffix(".")
        yield f"| `{name.upper()}` | {_default(field)} | {said[0].lower()}{said[1:]} |"


def _default(field: FieldInfo) -> str:
    match field.json_schema_extra, field.default:
        case {"default": str(told)}, _:
            return told
        case _, int() | float() as number:
            return str(number)
        case _, value:
            return f"`{value}`" if value else "none"
