"""What became of commands, as it is counted."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.ports import StoreUnavailable
from service.telemetry.meters import Meters
from service.usecases.errors import CorruptSession, Stale, UseCaseError


def count_failure(meters: Meters, command: object, why: UseCaseError | StoreUnavailable | None) -> None:
    """Counts a command that is not carried out, by why; None is not known yet."""
    match why:
        case None:
            return
        case Stale():
            counts = meters.commands["stale"]
        case StoreUnavailable() | CorruptSession():
            counts = meters.commands["failed"]
        case _:
            counts = meters.commands["refused"]
    counts[type(command)] += 1


@contextmanager
def counting_failures(meters: Meters, command: object) -> Iterator[None]:
    """Counts a command by what is raised within the context, if anything is."""
    try:
        yield
    except (UseCaseError, StoreUnavailable) as error:
        count_failure(meters, command, error)
        raise
