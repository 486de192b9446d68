"""Every error as application/problem+json (RFC 9457), with a code that never changes."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.routing import iter_route_contexts
from msgspec import UNSET, Struct, UnsetType
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from service.ports import SolverBusy, StoreUnavailable
from service.protocol import messages, shapes
from service.telemetry import logs
from service.usecases import errors

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 1
REQUEST_ID: Final = "X-Request-Id"

_log = logging.getLogger(__name__)

_STATUS: Final[dict[type[errors.UseCaseError], HTTPStatus]] = {
    errors.BadRequest: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.BadCursor: HTTPStatus.BAD_REQUEST,
    errors.BadHeader: HTTPStatus.BAD_REQUEST,
    errors.BadAddress: HTTPStatus.BAD_REQUEST,
    errors.Unauthorised: HTTPStatus.UNAUTHORIZED,
    errors.NameRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NoSuchPlayer: HTTPStatus.NOT_FOUND,
    errors.FollowingFull: HTTPStatus.CONFLICT,
    errors.NoSuchSession: HTTPStatus.NOT_FOUND,
    errors.NotYourSeat: HTTPStatus.FORBIDDEN,
    errors.NotForSpectators: HTTPStatus.FORBIDDEN,
    errors.MoveRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NothingTo: HTTPStatus.CONFLICT,
    errors.ConsentMissing: HTTPStatus.CONFLICT,
    errors.OthersStillPlay: HTTPStatus.CONFLICT,
    errors.WrongInvite: HTTPStatus.FORBIDDEN,
    errors.NoFreeSeat: HTTPStatus.CONFLICT,
    errors.SoloSession: HTTPStatus.CONFLICT,
    errors.SessionOver: HTTPStatus.CONFLICT,
    errors.LogFull: HTTPStatus.CONFLICT,
    errors.Stale: HTTPStatus.CONFLICT,
    errors.StillSecret: HTTPStatus.CONFLICT,
    errors.NoSuchDeal: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.NoSuchDay: HTTPStatus.NOT_FOUND,
    errors.NotYetOpen: HTTPStatus.CONFLICT,
    errors.DayNotReady: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.RunOver: HTTPStatus.CONFLICT,
    errors.TooLate: HTTPStatus.CONFLICT,
    errors.RunFirst: HTTPStatus.CONFLICT,
    errors.IdempotencyKeyReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.CorruptSession: HTTPStatus.CONFLICT,
}

_RENAMED: Final = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Content Too Large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "Unprocessable Content",
}


class FieldError(Struct, frozen=True):
    """One thing that is wrong with a request: where, and what would be right."""

    field: str
    message: str


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong. `code` is for programs and never changes, `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    reason: str | UnsetType = UNSET
    legal: list[shapes.LegalMove] | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET
    missed: list[shapes.Event] | UnsetType = UNSET
    session: shapes.Session | UnsetType = UNSET


def phrase(status: HTTPStatus) -> str:
    """What RFC 9110 calls the status, on every version of Python."""
    return _RENAMED.get(status, status.phrase)


def problem(status: HTTPStatus, code: str, detail: str, **more: Any) -> Problem:
    """A problem; `more` are its further members."""
    kind = f"urn:british-constitution:problem:{code}"
    return Problem(type=kind, title=phrase(status), status=status.value, detail=detail, code=code, **more)


def answer_problems(app: FastAPI) -> None:
    """Has the application answer every error with a problem."""

    @app.exception_handler(errors.UseCaseError)
    async def _(request: Request, error: errors.UseCaseError) -> Response:
        if isinstance(error, errors.CorruptSession):
            _log.error("a session is damaged: %s", error, extra={"session": error.session})
        return respond(problem_of(error, by_if_match="if-match" in request.headers))

    @app.exception_handler(StoreUnavailable)
    async def _(request: Request, error: StoreUnavailable) -> Response:
        return respond(unavailable())

    @app.exception_handler(SolverBusy)
    async def _(request: Request, error: SolverBusy) -> Response:
        return respond(busy())

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> Response:
        return respond(_of_validation(error))

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        status = HTTPStatus(error.status_code)
        headers = {"Allow": _methods_at(request)} if status is HTTPStatus.METHOD_NOT_ALLOWED else error.headers
        return respond(_of_http(status, request), headers)

    @app.exception_handler(Exception)
    async def _(request: Request, error: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        failure = problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "Something is wrong with this service.")
        return respond(failure, {REQUEST_ID: logs.request() or ""})  # the middleware that adds it has failed, too


def unavailable() -> Problem:
    """The store is away."""
    detail = "The store cannot be reached just now; try again, commands are recognised and not done twice."
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail)


def busy() -> Problem:
    """The solver has more to do than it takes."""
    detail = "More is asked of the solver than it can do just now; try again."
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail)


def going_away() -> Problem:
    """The service stops."""
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, "going_away", "The service stops; another is there, or soon.")


def too_large() -> Problem:
    """A body above the limit."""
    return problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", "The body is larger than this service takes.")


def rate_limited(wait: float) -> Problem:
    """What is done too often, and may be done again after so many seconds."""
    detail = f"That is too often; it may be done again in {ceil(wait)} s."
    return problem(HTTPStatus.TOO_MANY_REQUESTS, "rate_limited", detail)


def respond(body: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """A problem as the answer to a request, or to a socket that is not accepted; logged by code, kept by no cache."""
    logs.note(code=body.code)
    headers = {"Cache-Control": "no-store", **(headers or {})}
    if body.status in {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS}:
        headers.setdefault("Retry-After", str(RETRY_AFTER_SECONDS))
    if body.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(messages.encode(body), body.status, headers, MEDIA_TYPE)


def problem_of(error: errors.UseCaseError, by_if_match: bool = False) -> Problem:
    """What a use case refused; `by_if_match` tells whether the request named its place in that header."""
    status = _STATUS[type(error)]
    match error:
        case errors.MoveRefused():
            return problem(status, error.code, str(error), reason=error.reason.value, legal=error.legal)
        case errors.NameRefused():
            return problem(status, error.code, str(error), reason=error.reason)
        case errors.Stale():
            status = HTTPStatus.PRECONDITION_FAILED if by_if_match else status
            missed = UNSET if error.missed is None else error.missed
            return problem(status, error.code, str(error), missed=missed, session=error.session)
        case errors.BadRequest():
            return misfit(status, FieldError(error.field, error.why))
        case _:
            return problem(status, error.code, str(error))


def misfit(status: HTTPStatus, *wrong: FieldError) -> Problem:
    """A request whose fields are wrong."""
    detail = "; ".join(f"{one.field}: {one.message}" for one in wrong)
    return problem(status, errors.BadRequest.code, detail, errors=list(wrong))


def _of_validation(error: RequestValidationError) -> Problem:
    """422 for a body that does not fit, 400 for anything else of the request."""
    in_body = all(one["loc"][0] == "body" and one["type"] != "json_invalid" for one in error.errors())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if in_body else HTTPStatus.BAD_REQUEST
    return misfit(status, *map(_wrong, error.errors()))


def _wrong(error: Any) -> FieldError:
    """One of pydantic's errors, with what its message leaves out of a body that is no object at all."""
    match error["type"]:
        case "json_invalid":
            return FieldError("body", f"not JSON: at {error['loc'][1]}: {error['ctx']['error']}")
        case "model_attributes_type":
            return FieldError("body", "there should be a JSON object, with Content-Type: application/json")
        case _:
            return FieldError(_field(error["loc"]), error["msg"])


def _field(location: tuple[Any, ...]) -> str:
    """The name of a field: without the part of the request for a body's, with it for a header's or a parameter's."""
    path = location[1:] if location[0] == "body" and isinstance(location[-1], str) and len(location) > 1 else location
    return ".".join(str(part) for part in path)


def _methods_at(request: Request) -> str:
    """What the path takes: of all its routes, where the framework tells of the first alone; those of its own first."""
    path, routes = request.url.path, list(iter_route_contexts(request.app.routes))
    fitting = [route for route in routes if compile_path(str(route.path))[0].match(path)]
    own = [route for route in fitting if route.path == path]
    return ", ".join(sorted({method for route in own or fitting for method in route.methods or ()}))


def _of_http(status: HTTPStatus, request: Request) -> Problem:
    """What the framework refused."""
    match status:
        case HTTPStatus.NOT_FOUND:
            return problem(status, "not_found", f"There is nothing at {request.url.path}.")
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return problem(status, "method_not_allowed", f"{request.url.path} does not take {request.method}.")
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return too_large()
        case _:
            return problem(status, "bad_request", "The body cannot be read: there should be JSON in UTF-8.")
