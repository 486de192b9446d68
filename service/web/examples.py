"""An example for every operation and every error of the contract, made by the code that makes the real ones."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final

import msgspec

from service.engine.errors import Reason
from service.engine.game import ENGINE_VERSION, Game
from service.engine.log import Entry, crc_of, pack
from service.engine.notation import parse_deal, parse_move, parse_rules
from service.engine.record import format_record
from service.ports import SeatHolder, SessionMeta, StoredSummary
from service.protocol import messages
from service.usecases.history import Turn
from service.usecases.views import event_view, legal_for, session_view, summary_view
from service.web.health import Health
from service.web.problems import FieldError, Problem, problem, unavailable

_CREATED: Final = 1_793_525_400_000
_META: Final = SessionMeta(
    id="deadbeef3bc054c34cc99e4966f5245a",
    rules="modern",
    deal="pysol:1",
    secret=False,
    spectators=True,
    engine=ENGINE_VERSION,
    created=_CREATED,
    updated=_CREATED + 4200,
    status="playing",
    is_open=True,
    seats=(SeatHolder("9c1d2ab06679f1c4", "Quiet Heron"),),
)


def add_examples(document: dict[str, Any]) -> None:
    """Puts an example beside the schema of every answer."""
    turn = _turn()
    session = session_view(_META, turn.after, 0)
    answers = {
        "createPlayer": messages.Player("9c1d2ab06679f1c4", "Quiet Heron", "bbb8d0…", "7KQ2M-9XVTA-C4H8R-ZW5EP"),
        "createTicket": messages.Ticket("62ad5d…", 30),
        "createSession": session_view(_META, turn.before, 0),
        "listSessions": messages.Page([summary_view(StoredSummary(_META, 1))], None),
        "readEvents": messages.Events(events=[event_view(_META, turn, 0)]),
        "isLive": Health("live"),
        "isReady": Health("ready"),
    }
    record = format_record(parse_deal(_META.deal), parse_rules(_META.rules), [turn.entry])
    for operation in _operations(document):
        for status, response in operation["responses"].items():
            for media_type, content in response.get("content", {}).items():
                if media_type == "text/plain":
                    content["example"] = record
                elif status.startswith("2"):
                    content["example"] = msgspec.to_builtins(answers.get(operation["operationId"], session))
                else:
                    content["example"] = msgspec.to_builtins(_problem(HTTPStatus(int(status)), turn, session))


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in document["paths"].values():
        yield from path.values()


def _turn() -> Turn:
    game = Game.begin(parse_deal(_META.deal), parse_rules(_META.rules))
    move = parse_move("b1G")
    entry = Entry(game.kind_of(move), seat=0, time=42, move=move)
    return Turn(game, entry, game.after(entry, crc_of(pack(entry, game.crc))))


def _problem(status: HTTPStatus, turn: Turn, session: messages.Session) -> Problem:
    match status:
        case HTTPStatus.BAD_REQUEST:
            wrong = [FieldError("query.limit", "Input should be less than or equal to 100")]
            return problem(
                status, "bad_request", "query.limit: Input should be less than or equal to 100", errors=wrong
            )
        case HTTPStatus.UNAUTHORIZED:
            return problem(status, "unauthorised", "The token is not known, or no longer.")
        case HTTPStatus.FORBIDDEN:
            return problem(status, "not_your_seat", "You have no seat in this session.")
        case HTTPStatus.NOT_FOUND:
            return problem(status, "no_such_session", f"There is no session '{_META.id}', or no more.")
        case HTTPStatus.CONFLICT | HTTPStatus.PRECONDITION_FAILED:
            missed = [event_view(_META, turn, 0)]
            return problem(status, "stale", "The session has gone on to 1 since 0.", missed=missed, session=session)
        case HTTPStatus.UNPROCESSABLE_ENTITY:
            detail = "a2b1 is not legal here: wrong_rank."
            legal = legal_for(turn.before, 0)
            return problem(status, "illegal_move", detail, reason=Reason.WRONG_RANK.value, legal=legal)
        case HTTPStatus.SERVICE_UNAVAILABLE:
            return unavailable()
        case _:
            return problem(status, "too_large", "The body is larger than this service takes.")
