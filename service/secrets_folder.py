"""The folder of what nobody may know: made where it is missing, and never made anew."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

BYTES: Final = 32
"""Of chance in each secret: 256 bits."""
READABLE: Final = 0o444
"""Every user may read the files: the containers that mount the folder run as different ones, and nobody else does."""
REDIS_PASSWORD: Final = "redis_password"  # noqa: S105 - the file's name
SECRETS: Final = (REDIS_PASSWORD, "metrics_token", "grafana_password")
STORE_CONFIG: Final = "store.conf"


def fill(folder: Path) -> Iterator[str]:
    """Makes what the folder lacks, and tells each file that it has made; raises OSError where it cannot.

    Two at once agree: a file appears whole, and the first that appears stays.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in SECRETS:
            if _add(folder / name, secrets.token_urlsafe(BYTES)):
                yield name
        password = (folder / REDIS_PASSWORD).read_text().strip()
        if _add(folder / STORE_CONFIG, f"requirepass {password}\nmasterauth {password}\n"):
            yield STORE_CONFIG
    except OSError as error:
        raise OSError(f"{folder} cannot be filled: {error.strerror}") from error


def _add(path: Path, text: str) -> bool:
    """Adds a file where there is none, whole at once; whether it did."""
    if path.exists():
        return False
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        Path(beside).chmod(READABLE)
        with suppress(FileExistsError):  # a link, where a new name would replace what another has just made
            os.link(beside, path)
            return True
        return False
    finally:
        Path(beside).unlink()
