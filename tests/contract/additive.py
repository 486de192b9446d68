"""Whether one contract can stand in for an older one: what a client of the older one relies on must still be there."""

from collections.abc import Iterator
from typing import Any

from tests.contract.documents import Json, operations


def breaches(old: Json, new: Json) -> list[str]:
    """What a client of the old contract would miss in the new one, in the order of the old one."""
    return list(_breaches(old, new))


def _breaches(old: Json, new: Json) -> Iterator[str]:
    now = operations(new)
    for (path, method), operation in operations(old).items():
        name = f"{method} {path}"
        if (path, method) not in now:
            yield f"{name} is gone"
            continue
        after = now[path, method]
        if operation["operationId"] != after["operationId"]:
            yield f"{name} is no longer called {operation['operationId']}"
        yield from _parameter_breaches(name, operation, after)
        if after.get("requestBody", {}).get("required") and not operation.get("requestBody", {}).get("required"):
            yield f"{name} asks for a body"
        yield from _schema_breaches(f"{name} body", (old, _body(operation)), (new, _body(after)), asked=True)
        yield from _response_breaches(name, (old, operation), (new, after))


def _parameter_breaches(name: str, old: Json, new: Json) -> Iterator[str]:
    before, after = _parameters(old), _parameters(new)
    for parameter in before:
        if parameter not in after:
            yield f"{name} no longer takes {parameter}"
    for parameter, required in after.items():
        if required and not before.get(parameter):
            yield f"{name} asks for {parameter}"


def _response_breaches(name: str, old: tuple[Json, Json], new: tuple[Json, Json]) -> Iterator[str]:
    (old_document, before), (new_document, after) = old, new
    for status, response in before["responses"].items():
        if status not in after["responses"]:
            yield f"{name} no longer answers with {status}"
            continue
        contents = after["responses"][status].get("content", {})
        for media_type, content in response.get("content", {}).items():
            if media_type not in contents:
                yield f"{name} no longer answers {status} with {media_type}"
                continue
            schemas = (old_document, content["schema"]), (new_document, contents[media_type]["schema"])
            yield from _schema_breaches(f"{name} {status}", *schemas, asked=False)


def _schema_breaches(where: str, old: tuple[Json, Any], new: tuple[Json, Any], *, asked: bool) -> Iterator[str]:
    """Breaches of a schema: of a request's (`asked`), which may not ask for more, or a response's, which may not tell
    less.
    """
    (old_document, before), (new_document, after) = old, new
    before, after = _resolved(old_document, before), _resolved(new_document, after)
    if before.get("type") != after.get("type"):
        yield f"{where}: {before.get('type')} is now {after.get('type')}"
    values, now = set(map(repr, before.get("enum", []))), set(map(repr, after.get("enum", [])))
    if (values - now) if asked else (now - values if values else set()):
        yield f"{where}: other values"
    required, now_required = set(before.get("required", [])), set(after.get("required", []))
    for member in sorted(now_required - required) if asked else sorted(required - now_required):
        yield f"{where}: asks for {member}" if asked else f"{where}: {member} is no longer sure"
    properties = after.get("properties", {})
    for member, schema in before.get("properties", {}).items():
        if member not in properties:
            yield f"{where}: {member} is gone"
        else:
            inner = (old_document, schema), (new_document, properties[member])
            yield from _schema_breaches(f"{where}.{member}", *inner, asked=asked)
    for keyword in ("items", "additionalProperties"):
        if isinstance(before.get(keyword), dict) and isinstance(after.get(keyword), dict):
            inner = (old_document, before[keyword]), (new_document, after[keyword])
            yield from _schema_breaches(f"{where}[]", *inner, asked=asked)


def _resolved(document: Json, schema: Any) -> Json:
    """A schema behind its reference; of a choice with null, what may be there instead of it."""
    choices = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if len(choices) == 1:
        schema = choices[0]
    if reference := schema.get("$ref"):
        found: Json = document["components"]["schemas"][reference.rpartition("/")[2]]
        return found
    resolved: Json = schema
    return resolved


def _body(operation: Json) -> Json:
    body: Json = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return body


def _parameters(operation: Json) -> dict[str, bool]:
    """The parameters of an operation, and whether each has to be given."""
    return {f"{one['in']} {one['name']}": one.get("required", False) for one in operation.get("parameters", [])}
