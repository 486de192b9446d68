"""The connection to Redis, and what its failures are called."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.ports import StoreUnavailable

TIMEOUT_SECONDS: Final = 5.0
MAX_CONNECTIONS: Final = 64

Client: TypeAlias = Redis

_log = logging.getLogger(__name__)


def connect(url: str) -> Client:
    """A client that connects when it is first used; raises ValueError for a URL that is none.

    It never sends a command a second time by itself: whether a write whose answer was lost should be repeated is for
    the caller to say, who knows how to recognise it.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        socket_timeout=TIMEOUT_SECONDS,
        socket_connect_timeout=TIMEOUT_SECONDS,
        max_connections=MAX_CONNECTIONS,
        timeout=TIMEOUT_SECONDS,  # how long a call may wait until one of them is free
        retry=Retry(NoBackoff(), 0),
        retry_on_error=[],
    )
    return Redis.from_pool(pool)


def text(answer: Any) -> str:
    """The text in an answer; the client's own types leave open whether answers are decoded, and ours are not."""
    decoded: str = answer.decode()
    return decoded


def texts(answer: Any) -> dict[str, str]:
    """The fields and values of a hash."""
    return {text(field): text(value) for field, value in answer.items()}


@contextmanager
def failures_named() -> Iterator[None]:
    """Raises StoreUnavailable in place of whatever the client raises."""
    try:
        yield
    except (RedisError, OSError) as error:
        _log.warning("redis: %s: %s", type(error).__name__, error)
        raise StoreUnavailable(str(error)) from error
