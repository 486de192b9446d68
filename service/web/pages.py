"""The web client at the service's own origin: its built files, under a policy that lets nothing else in."""

import hashlib
import mimetypes
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response

BUILT: Final = Path(__file__).parent / "client"
"""Where the build of clients/web puts its files, and a wheel has them."""
SCREENS: Final = (
    "/",
    "/play/{session}",
    "/new",
    "/d/{deal}",
    "/join/{session}",
    "/watch/{session}",
    "/replay/{session}",
    "/daily",
    "/daily/{date}/{rules}",
    "/boards",
    "/statistics",
    "/rules",
    "/rules/{version}",
    "/settings",
)
"""The addresses of the client's screens, which are all one page: those of its router."""

_METHODS: Final = ["GET", "HEAD"]
_ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}
"""What a file may be packed as, the best first, and the end of the packed one's name."""
_YEAR: Final = "public, max-age=31536000, immutable"
_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_GUARDED: Final = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class File(NamedTuple):
    """A file as it is sent: packed in each way that it is there, "" for not at all."""

    headers: Mapping[str, str]
    bodies: Mapping[str, bytes]


def add_pages(app: FastAPI, client: Path | None) -> None:
    """Serves the client that was built into a folder; where there is none, the API's pages are what is to be seen."""
    if client is None or not (client / "index.html").is_file():
        app.add_api_route("/", _to_the_api, methods=["GET"], include_in_schema=False)
        return
    for path in sorted(client.rglob("*")):
        if path.is_file() and path.suffix not in _ENCODINGS.values():
            _serve(app, f"/{path.relative_to(client).as_posix()}", _read(path, lasts=path.parent.name == "assets"))
    page = _read(client / "index.html", lasts=False)
    for screen in SCREENS:
        _serve(app, screen, page)


def _read(path: Path, lasts: bool) -> File:
    """A file that lies there; one that `lasts` has a name that changes with what is in it."""
    bodies = {name: path.with_name(path.name + end) for name, end in _ENCODINGS.items()}
    body = path.read_bytes()
    headers = {
        **_GUARDED,
        "Cache-Control": _YEAR if lasts else "no-cache",
        "Content-Type": _type_of(path),
        "ETag": f'W/"{hashlib.sha256(body).hexdigest()[:32]}"',
        "Vary": "Accept-Encoding",
    }
    packed = {name: one.read_bytes() for name, one in bodies.items() if one.is_file()}
    return File(headers, {**packed, "": body})


def _type_of(path: Path) -> str:
    if path.suffix == ".webmanifest":
        return "application/manifest+json"
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _serve(app: FastAPI, path: str, file: File) -> None:
    async def read(request: Request) -> Response:
        if file.headers["ETag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=file.headers)
        taken = _taken(request)
        encoding = next((name for name in file.bodies if name in taken), "")
        packed = {"Content-Encoding": encoding} if encoding else {}
        return Response(file.bodies[encoding], headers={**file.headers, **packed})

    app.add_route(path, read, methods=_METHODS, include_in_schema=False)


def _taken(request: Request) -> set[str]:
    """The encodings that a browser takes."""
    listed = (part.replace(" ", "").split(";") for part in request.headers.get("accept-encoding", "").split(","))
    return {name for name, *weight in listed if weight != ["q=0"]}


async def _to_the_api() -> Response:
    return RedirectResponse("/docs", HTTPStatus.TEMPORARY_REDIRECT)
