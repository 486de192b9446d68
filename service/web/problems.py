"""Every error as application/problem+json (RFC 9457), with a code that never changes."""

import logging
from http import HTTPStatus
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from msgspec import UNSET, Struct, UnsetType
from starlette.exceptions import HTTPException

from service.ports import StoreUnavailable
from service.protocol import messages
from service.usecases import errors

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 1

_log = logging.getLogger(__name__)

_STATUS: Final[dict[type[errors.UseCaseError], HTTPStatus]] = {
    errors.BadRequest: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.BadCursor: HTTPStatus.BAD_REQUEST,
    errors.BadHeader: HTTPStatus.BAD_REQUEST,
    errors.Unauthorised: HTTPStatus.UNAUTHORIZED,
    errors.NoSuchSession: HTTPStatus.NOT_FOUND,
    errors.NotYourSeat: HTTPStatus.FORBIDDEN,
    errors.NotForSpectators: HTTPStatus.FORBIDDEN,
    errors.MoveRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.NothingTo: HTTPStatus.CONFLICT,
    errors.SessionOver: HTTPStatus.CONFLICT,
    errors.LogFull: HTTPStatus.CONFLICT,
    errors.Stale: HTTPStatus.CONFLICT,
    errors.StillSecret: HTTPStatus.CONFLICT,
    errors.IdempotencyKeyReused: HTTPStatus.UNPROCESSABLE_ENTITY,
    errors.CorruptSession: HTTPStatus.CONFLICT,
}
_HTTP_CODES: Final = {
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "too_large",
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
    legal: list[messages.LegalMove] | UnsetType = UNSET
    errors: list[FieldError] | UnsetType = UNSET
    missed: list[messages.Event] | UnsetType = UNSET
    session: messages.Session | UnsetType = UNSET


def problem(status: HTTPStatus, code: str, detail: str, **more: Any) -> Problem:
    """A problem; `more` are its further members."""
    kind = f"urn:british-constitution:problem:{code}"
    return Problem(type=kind, title=status.phrase, status=status.value, detail=detail, code=code, **more)


def answer_problems(app: FastAPI) -> None:
    """Has the application answer every error with a problem."""

    @app.exception_handler(errors.UseCaseError)
    async def _(request: Request, error: errors.UseCaseError) -> Response:
        return _response(_of_use_case(request, error))

    @app.exception_handler(StoreUnavailable)
    async def _(request: Request, error: StoreUnavailable) -> Response:
        return _response(unavailable())

    @app.exception_handler(RequestValidationError)
    async def _(request: Request, error: RequestValidationError) -> Response:
        return _response(_of_validation(error))

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> Response:
        status = HTTPStatus(error.status_code)
        code = _HTTP_CODES.get(status, "bad_request")
        return _response(problem(status, code, _http_detail(status, request)), error.headers)

    @app.exception_handler(Exception)
    async def _(request: Request, error: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return _response(problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal", "Something is wrong with this service."))


def unavailable() -> Problem:
    """The store is away."""
    detail = "The store cannot be reached just now; try again, commands are recognised and not done twice."
    return problem(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail)


def _response(body: Problem, headers: Any = None) -> Response:
    headers = dict(headers or {})
    if body.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if body.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(msgspec.json.encode(body), body.status, headers, MEDIA_TYPE)


def _of_use_case(request: Request, error: errors.UseCaseError) -> Problem:
    status = _STATUS[type(error)]
    match error:
        case errors.MoveRefused():
            return problem(status, error.code, str(error), reason=error.reason.value, legal=error.legal)
        case errors.Stale():
            if "if-match" in request.headers:
                status = HTTPStatus.PRECONDITION_FAILED
            return problem(status, error.code, str(error), missed=error.missed or [], session=error.session)
        case errors.BadRequest():
            return problem(status, error.code, str(error), errors=[FieldError(error.field, error.why)])
        case errors.CorruptSession():
            _log.error("%s", error)
    return problem(status, error.code, str(error))


def _of_validation(error: RequestValidationError) -> Problem:
    """422 for a body that does not fit, 400 for anything else of the request."""
    found = [FieldError(_field(one["loc"]), one["msg"]) for one in error.errors()]
    in_body = all(one["loc"][0] == "body" and one["type"] != "json_invalid" for one in error.errors())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if in_body else HTTPStatus.BAD_REQUEST
    detail = "; ".join(f"{one.field}: {one.message}" for one in found)
    return problem(status, "bad_request", detail, errors=found)


def _field(location: tuple[Any, ...]) -> str:
    """The name of a field: without the part of the request for a body's, with it for a header's or a parameter's."""
    path = location[1:] if location[0] == "body" and isinstance(location[-1], str) and len(location) > 1 else location
    return ".".join(str(part) for part in path)


def _http_detail(status: HTTPStatus, request: Request) -> str:
    match status:
        case HTTPStatus.NOT_FOUND:
            return f"There is nothing at {request.url.path}."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{request.url.path} does not take {request.method}."
        case _:
            return f"{status.description or status.phrase}."
