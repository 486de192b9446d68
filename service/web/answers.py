"""Answers: encoded by the codec that the sockets use, and described once for the contract."""

from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

import msgspec
from fastapi.responses import Response

from service.protocol import messages, shapes
from service.web.problems import MEDIA_TYPE, phrase

NOT_MODIFIED: Final[dict[int | str, dict[str, Any]]] = {
    304: {"description": "It is as the ETag in If-None-Match says."}
}
COMPONENTS: Final = "#/components/schemas/{name}"
VARY: Final = {"Vary": "Authorization"}
PRIVATE: Final = {"Cache-Control": "private, no-cache", **VARY}
"""An answer that is for whoever asked, who may keep it and ask whether it still holds."""
HEADERS: Final = {
    "ETag": "Names the place in the history and the kind of view, for If-Match and If-None-Match.",
    "Location": "Where the session is.",
    "Link": "The next page, where there is one.",
}


def answer(body: msgspec.Struct, status: HTTPStatus = HTTPStatus.OK, headers: dict[str, str] | None = None) -> Response:
    """A message as JSON."""
    return Response(messages.encode(body), status, headers, "application/json")


def named_answer(body: msgspec.Struct, if_none_match: str | None, headers: dict[str, str]) -> Response:
    """A message as JSON, named by what it says: not sent again to whoever has it."""
    encoded = messages.encode(body)
    etag = f'"{sha256(encoded).hexdigest()[:32]}"'
    headers = {"ETag": etag, **headers}
    if if_none_match is not None and (if_none_match == "*" or etag in if_none_match):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(encoded, headers=headers, media_type="application/json")


def session_answer(session: shapes.Session, status: HTTPStatus = HTTPStatus.OK, **headers: str) -> Response:
    """A session, with the ETag that names its place and the kind of view."""
    return answer(session, status, session_headers(session) | headers)


def session_headers(session: shapes.Session) -> dict[str, str]:
    """Who may cache a view of a session, and under which name."""
    return {"ETag": etag_of(session), **PRIVATE}


def etag_of(session: shapes.Session) -> str:
    """The name of a view: `"17-9a0b12ff"` for a player, `"17-9a0b12ff-watch"` for a spectator."""
    kind = "-watch" if session.you is None else ""
    return f'"{session.seq}-{session.crc}{kind}"'


def describes(shape: type[msgspec.Struct], description: str, *headers: str) -> dict[str, Any]:
    """How the contract describes an answer of this shape, with the names of its headers."""
    schema = {"$ref": COMPONENTS.format(name=shape.__name__)}
    described = {name: {"description": HEADERS[name], "schema": {"type": "string"}} for name in headers}
    return {"description": description, "headers": described, "content": {"application/json": {"schema": schema}}}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """How the contract describes the errors with these statuses; 503 can come from anything that asks the store."""
    schema = {"$ref": COMPONENTS.format(name="Problem")}
    return {
        status: {"description": phrase(HTTPStatus(status)), "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted({*statuses, HTTPStatus.SERVICE_UNAVAILABLE})
    }
