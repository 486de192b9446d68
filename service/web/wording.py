"""How a socket's messages word commands, places and refusals."""

from typing import Final, assert_never

from msgspec import UNSET, UnsetType

from service.engine.moves import ALL_MOVES
from service.ports import StoreUnavailable
from service.protocol import messages
from service.usecases import errors
from service.usecases.commands import Command, Consent, Play, Redo, Undo
from service.web.dependencies import parsed_move
from service.web.problems import rate_limited

_PLAYS: Final = {str(move): Play(move) for move in ALL_MOVES}


def too_much(wait: float, session: str | UnsetType = UNSET, at: int | UnsetType = UNSET) -> messages.Refused:
    """The refusal of what was asked too often."""
    problem = rate_limited(wait)
    return messages.Refused(problem.code, problem.detail, session=session, at=at)


def refusal(
    error: errors.UseCaseError | StoreUnavailable, session: str | UnsetType = UNSET, at: int | UnsetType = UNSET
) -> messages.Refused:
    """Why a message was not carried out, as a command on a place or else."""
    match error:
        case errors.MoveRefused():
            legal, reason = error.legal, error.reason.value
            return messages.Refused(error.code, str(error), session=session, at=at, reason=reason, legal=legal)
        case StoreUnavailable():
            detail = "The store cannot be reached; send it again."
            return messages.Refused("unavailable", detail, session=session, at=at)
        case _:
            return messages.Refused(error.code, str(error), session=session, at=at)


def command_in(message: messages.Command) -> Command:
    """What a message asks for; raises BadRequest for what is no move."""
    match message:
        case messages.Play():
            return _PLAYS.get(message.move) or Play(parsed_move(message.move))
        case messages.Undo():
            return Undo(message.by == "group")
        case messages.Redo():
            return Redo(message.by == "group")
        case messages.Consent(count=count):
            return Consent(count)
        case _:
            assert_never(message)
