"""The committed contract, and whether an answer keeps to it."""

import json
import re
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import httpx
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

Json: TypeAlias = dict[str, Any]

FILE = Path(__file__).parents[2] / "openapi.json"
DOCUMENT: Json = json.loads(FILE.read_text("utf-8"))
PROBLEM_TYPE = "application/problem+json"
METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
PROBLEM_POINTER = "#/components/schemas/Problem"


def operations(document: Json) -> dict[tuple[str, str], Json]:
    """The operations of a contract, by path and method."""
    return {
        (path, method): item[method] for path, item in document["paths"].items() for method in METHODS if method in item
    }


def closed(document: Json) -> Json:
    """The contract in which no object has members that are not documented."""
    document = deepcopy(document)
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return document


_REGISTRY: Registry[Any] = Registry().with_resource(
    "contract", Resource.from_contents(closed(DOCUMENT), default_specification=DRAFT202012)
)


@cache
def validator(pointer: str) -> Draft202012Validator:
    """Of the schema at a place of the contract, where it allows no members that are not documented."""
    return Draft202012Validator({"$ref": f"contract{pointer}"}, registry=_REGISTRY)


def pointer_to(*steps: str) -> str:
    """The JSON pointer to a place of the contract."""
    return "#/" + "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)


def check_answer(response: httpx.Response) -> None:
    """Asserts that the contract documents the answer's status, its content type and its body."""
    response.read()
    media_type = response.headers.get("content-type", "").partition(";")[0]
    if response.status_code >= httpx.codes.BAD_REQUEST:
        check_problem(response)
    if (found := _operation(response.request)) is None:
        return
    path, method = found
    documented = DOCUMENT["paths"][path][method]["responses"]
    status = str(response.status_code)
    assert status in documented, f"{method} {path} answers with {status}, which is not documented"
    assert list(documented[status].get("content", [])) == ([media_type] if response.content else [])
    if response.content and media_type.endswith("json"):
        validator(pointer_to("paths", path, method, "responses", status, "content", media_type, "schema")).validate(
            response.json()
        )


def check_problem(response: httpx.Response) -> None:
    """Asserts that an error is a problem with all that one has."""
    if response.request.method == "HEAD":
        assert response.headers["content-type"] == PROBLEM_TYPE
        return
    body = response.json()
    assert response.headers["content-type"] == PROBLEM_TYPE
    validator(PROBLEM_POINTER).validate(body)
    assert body["type"] == f"urn:british-constitution:problem:{body['code']}"
    assert body["status"] == response.status_code
    assert body["title"]
    assert body["detail"]


def _operation(request: httpx.Request) -> tuple[str, str] | None:
    """The path and the method under which the contract documents the request."""
    method = request.method.lower()
    for path, item in DOCUMENT["paths"].items():
        pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))
        if method in item and re.fullmatch(pattern, request.url.path):
            return path, method
    return None
