"""The contract of the sockets: committed, whole, and kept by a real conversation."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from service.web.asyncapi import contract
from tests.live.client import guest, opened, place
from tests.protocol.test_protocol_document import examples

DOCUMENT = contract()
REGISTRY: Registry[Any] = Registry().with_resource(
    "urn:asyncapi", Resource.from_contents(DOCUMENT, default_specification=DRAFT202012)
)


def check(message: dict[str, Any]) -> None:
    """Asserts that a message is as the contract describes the one of its type."""
    title = DOCUMENT["components"]["messages"][message["type"]]["title"]
    schema = {"$ref": f"urn:asyncapi#/components/schemas/{title}"}
    Draft202012Validator(schema, registry=REGISTRY).validate(message)


def test_the_committed_contract_is_the_one_that_is_served() -> None:
    committed = Path(__file__).parents[2] / "asyncapi.json"

    assert json.loads(committed.read_text("utf-8")) == json.loads(json.dumps(DOCUMENT))


def test_every_schema_is_one() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere() -> None:
    def follow(node: Any) -> None:
        if isinstance(node, dict):
            if "$ref" in node:
                found = DOCUMENT
                for key in node["$ref"].removeprefix("#/").split("/"):
                    found = found[key]
            for value in node.values():
                follow(value)
        elif isinstance(node, list):
            for value in node:
                follow(value)

    follow(DOCUMENT)


@pytest.mark.parametrize("chapter", ["What a client says", "What the server says"])
def test_the_documents_examples_keep_it(chapter: str) -> None:
    for _, example in examples(chapter):
        check(json.loads(example))


async def test_a_conversation_keeps_it_and_is_not_empty(service: str) -> None:
    heard = []
    async with guest(service) as player:
        session = await player.deal("pysol:1")
        headers = {"Authorization": f"Bearer {player.token}"}
        async with opened(service, session["id"], additional_headers=headers) as socket:
            await socket.say("hello", v=1)
            heard += await socket.hear_until("snapshot")
            for move in ("b1G", "a2c1"):
                await socket.say("play", session=session["id"], move=move, **place(session))
                heard += await socket.hear_until("ack", "refused", "stale")
            await socket.say("play", session=session["id"], move="c1G", **place(session))
            heard += await socket.hear_until("stale")
            await socket.say("ping")
            heard += await socket.hear_until("pong")

    assert {message["type"] for message in heard} >= {"welcome", "snapshot", "event", "ack", "stale", "pong"}
    for message in heard:
        check(message)


async def test_the_page_names_every_message(service: str) -> None:
    async with httpx.AsyncClient(base_url=service) as http:
        page = (await http.get("/docs/live")).text
        assert (await http.get("/asyncapi.json")).json() == json.loads(json.dumps(DOCUMENT))

    for name in DOCUMENT["components"]["messages"]:
        assert f"<h3 id={name}>" in page
