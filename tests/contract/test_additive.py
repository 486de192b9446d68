"""The contract only grows: what version 0.1 promised is still promised."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.contract.additive import breaches
from tests.contract.documents import DOCUMENT, Json

FROZEN: Json = json.loads(Path(__file__).with_name("openapi-0.1.json").read_text("utf-8"))
MOVES = "/v1/sessions/{session}/moves"
SESSION = "/v1/sessions/{session}"


def test_the_contract_keeps_what_it_promised_in_0_1() -> None:
    assert breaches(FROZEN, DOCUMENT) == []


def schema(document: Json, name: str) -> Any:
    return document["components"]["schemas"][name]


def without(members: list[str], name: str) -> None:
    members.remove(name)


PLANTED: dict[str, Callable[[Json], object]] = {
    f"get {SESSION} is gone": lambda new: new["paths"][SESSION].pop("get"),
    "get /livez is gone": lambda new: new["paths"].pop("/livez"),
    f"post {MOVES} is no longer called playMove": lambda new: new["paths"][MOVES]["post"].update(operationId="move"),
    f"post {MOVES} no longer takes header if-match": lambda new: new["paths"][MOVES]["post"]["parameters"].pop(),
    "get /v1/sessions asks for query limit": lambda new: new["paths"]["/v1/sessions"]["get"]["parameters"][1].update(
        required=True
    ),
    "get /livez asks for header x-new": lambda new: new["paths"]["/livez"]["get"].update(
        parameters=[{"in": "header", "name": "x-new", "required": True}]
    ),
    "post /v1/players asks for a body": lambda new: new["paths"]["/v1/players"]["post"]["requestBody"].update(
        required=True
    ),
    f"post {MOVES} body: asks for at": lambda new: schema(new, "MoveBody")["required"].append("at"),
    f"post {MOVES} body: crc is gone": lambda new: schema(new, "MoveBody")["properties"].pop("crc"),
    f"post {MOVES} body.at: integer is now string": lambda new: schema(new, "MoveBody")["properties"]["at"].update(
        anyOf=[{"type": "string"}, {"type": "null"}]
    ),
    f"post {MOVES} no longer answers with 412": lambda new: new["paths"][MOVES]["post"]["responses"].pop("412"),
    f"get {SESSION}/record no longer answers 200 with text/plain": lambda new: new["paths"][f"{SESSION}/record"]["get"][
        "responses"
    ]["200"].update(content={"text/html": {"schema": {}}}),
    "post /v1/tickets 201: ticket is no longer sure": lambda new: without(schema(new, "Ticket")["required"], "ticket"),
    "post /v1/tickets 201: expires_in is gone": lambda new: schema(new, "Ticket")["properties"].pop("expires_in"),
    "post /v1/tickets 201.expires_in: integer is now number": lambda new: schema(new, "Ticket")["properties"][
        "expires_in"
    ].update(type="number"),
    "get /v1/sessions 200.sessions[].seq: integer is now string": lambda new: schema(new, "Summary")["properties"][
        "seq"
    ].update(type="string"),
    "get /v1/sessions 200.sessions[].status: other values": lambda new: schema(new, "Summary")["properties"]["status"][
        "enum"
    ].append("paused"),
    f"post {SESSION}/undo body.by: other values": lambda new: without(
        schema(new, "StepsBody")["properties"]["by"]["enum"], "step"
    ),
}


@pytest.mark.parametrize("breach", PLANTED)
def test_a_breach_is_found(breach: str) -> None:
    new = deepcopy(FROZEN)
    PLANTED[breach](new)

    assert breach in breaches(FROZEN, new)


def test_what_is_added_is_no_breach() -> None:
    new = deepcopy(FROZEN)
    new["paths"]["/v1/new"] = {"get": deepcopy(new["paths"]["/livez"]["get"])}
    new["paths"]["/livez"]["post"] = deepcopy(new["paths"]["/livez"]["get"])
    new["paths"]["/livez"]["get"]["responses"]["429"] = {"description": "New."}
    new["paths"]["/livez"]["get"]["parameters"] = [{"in": "query", "name": "new", "schema": {}}]
    schema(new, "MoveBody")["properties"]["new"] = {"type": "string"}
    schema(new, "Session")["properties"]["new"] = {"type": "string"}
    schema(new, "Session")["required"].append("new")
    schema(new, "StepsBody")["properties"]["by"]["enum"].append("game")

    assert breaches(FROZEN, new) == []
