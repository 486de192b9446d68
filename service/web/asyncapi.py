"""The contract of the sockets: AsyncAPI 3, from the messages themselves, and a page to read it."""

import re
from functools import cache
from html import escape
from typing import Any, Final, get_args

import msgspec
from fastapi import APIRouter
from fastapi.responses import HTMLResponse, JSONResponse, Response
from msgspec.inspect import StructType, type_info

from service import __version__
from service.protocol import messages
from service.protocol.close import Close
from service.web.answers import COMPONENTS

router = APIRouter()

TITLE: Final = "British Constitution, live"
DESCRIPTION: Final = """
One JSON object a text frame. The client says hello first; the server answers with welcome and the session, or with
what came after the place that the hello names. Every command names the place it was made on, `at` and `crc`, and has
exactly one answer: ack, refused or stale. PROTOCOL.md tells the whole story.
"""
CHANNELS: Final[dict[str, dict[str, Any]]] = {
    "session": {
        "address": "/v1/sessions/{session}/live",
        "title": "One session",
        "description": "Subscribed to one session already, and for boards. The subprotocol is `constitution.v1`.",
        "parameters": {"session": {"description": "The session's id."}},
    },
    "any": {
        "address": "/v1/live",
        "title": "Any sessions",
        "description": "For as many sessions and boards as are subscribed to. The subprotocol is `constitution.v1`.",
    },
}


@router.get("/asyncapi.json", include_in_schema=False)
async def asyncapi() -> Response:
    return JSONResponse(contract())


@router.get("/docs/live", include_in_schema=False)
async def page() -> Response:
    return HTMLResponse(_page())


@cache
def contract() -> dict[str, Any]:
    """The AsyncAPI document."""
    said, heard = _names(messages.ClientMessage), _names(messages.ServerMessage)
    _, schemas = msgspec.json.schema_components([*said.values(), *heard.values()], ref_template=COMPONENTS)
    shown = {name: {"$ref": f"#/components/messages/{name}"} for name in (*said, *heard)}
    binding = {"ws": {"method": "GET", "bindingVersion": "0.1.0"}}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": TITLE, "version": __version__, "description": DESCRIPTION, "license": {"name": "MIT"}},
        "defaultContentType": "application/json",
        "channels": {name: {**channel, "messages": shown, "bindings": binding} for name, channel in CHANNELS.items()},
        "operations": {
            f"{name}{channel.title()}": _operation(action, channel, summary, names)
            for channel in CHANNELS
            for name, action, summary, names in (
                ("hear", "receive", "What a client says.", said),
                ("tell", "send", "What the server says.", heard),
            )
        },
        "components": {
            "messages": {name: _message(name, shape) for name, shape in (said | heard).items()},
            "schemas": schemas,
        },
    }


def _names(union: Any) -> dict[str, type[msgspec.Struct]]:
    """The messages of a union by their `type`."""
    shapes = {shape: type_info(shape) for shape in get_args(union)}
    return {str(info.tag): shape for shape, info in shapes.items() if isinstance(info, StructType)}


def _operation(action: str, channel: str, summary: str, names: dict[str, type[msgspec.Struct]]) -> dict[str, Any]:
    return {
        "action": action,
        "summary": summary,
        "channel": {"$ref": f"#/channels/{channel}"},
        "messages": [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names],
    }


def _message(name: str, shape: type[msgspec.Struct]) -> dict[str, Any]:
    return {
        "name": name,
        "title": shape.__name__,
        "summary": (shape.__doc__ or "").partition("\n")[0],
        "payload": {"$ref": COMPONENTS.format(name=shape.__name__)},
    }


def _page() -> str:
    """The document as a page without scripts."""
    document = contract()
    parts = [f"<h1>{escape(TITLE)}</h1><p>{_prose(DESCRIPTION)}</p>"]
    parts += [
        f"<p><code>{escape(channel['address'])}</code>: {_prose(channel['description'])}"
        for channel in document["channels"].values()
    ]
    parts.append("<p><a href=/asyncapi.json>The same as AsyncAPI</a>")
    for operation in ("hearSession", "tellSession"):
        described = document["operations"][operation]
        parts.append(f"<h2>{escape(described['summary'])}</h2>")
        parts += [_section(document, reference["$ref"].rpartition("/")[2]) for reference in described["messages"]]
    codes = [(code.value, code.name.lower(), "come back" if code.come_back else "do not come back") for code in Close]
    rows = "".join(f"<tr><td>{value}<td><code>{name}</code><td>{advice}" for value, name, advice in codes)
    parts.append(f"<h2>Close codes</h2><table>{rows}</table>")
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(TITLE)}</title>{STYLE}{''.join(parts)}"


def _section(document: dict[str, Any], name: str) -> str:
    message = document["components"]["messages"][name]
    schema = document["components"]["schemas"][message["title"]]
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code><td>{'' if field in schema.get('required', ()) else 'may be left out'}"
        f"<td>{escape(_kind(described))}<td>{_prose(_description(described))}"
        for field, described in schema["properties"].items()
    )
    return f"<h3 id={name}><code>{name}</code></h3><p>{_prose(message['summary'])}<table>{rows}</table>"


def _prose(text: str) -> str:
    """Text with what stands between backticks as code."""
    return re.sub("`(.*?)`", r"<code>\1</code>", escape(text))


def _description(described: dict[str, Any]) -> str:
    """What a field's schema says of it, or else what one of its choices does."""
    said = [one["description"] for one in (described, *described.get("anyOf", ())) if "description" in one]
    return str(said[0]) if said else ""


def _kind(described: dict[str, Any]) -> str:
    """A few words for a field's schema."""
    if "$ref" in described:
        return str(described["$ref"]).rpartition("/")[2]
    if "enum" in described:
        return ", ".join(map(str, described["enum"]))
    if "anyOf" in described:
        return " or ".join(_kind(one) for one in described["anyOf"])
    if described.get("type") == "array":
        return f"list of {_kind(described.get('items') or {})}"
    return str(described.get("type", "anything"))


STYLE: Final = (
    "<meta name=viewport content='width=device-width'><style>"
    "body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:break-word}"
    "table{border-collapse:collapse;width:100%}td{border-top:1px solid #ccc;padding:.3rem .6rem;vertical-align:top}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#9cf}}</style>"
)
