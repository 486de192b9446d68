"""What an operator can set, by environment variables; only the composition root reads it."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The settings, each with its variable's name in capitals; an empty variable is none."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True)

    host: str = Field("127.0.0.1", description="The address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    redis_url: str = Field("", description="The Redis or Valkey to use; none starts the embedded server.")
    data: Path = Field(Path("data"), description="The folder of the embedded server.")
    session_days: float = Field(
        90, ge=0, le=36500, description="Days after which a session that nobody plays expires; 0 for never."
    )
    cached_sessions: int = Field(10_000, ge=1, description="Sessions that a process keeps in memory.")

    @property
    def session_ttl(self) -> int:
        """Milliseconds for which an idle session is kept, 0 for ever."""
        return int(self.session_days * 24 * 60 * 60 * 1000)
