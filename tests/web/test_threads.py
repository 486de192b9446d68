"""No route takes a thread, which costs more than all else that is done for most requests."""

from collections.abc import Iterator
from inspect import iscoroutinefunction
from typing import Any

from fastapi.dependencies.models import Dependant
from fastapi.routing import iter_route_contexts

from service.app import create_app
from service.store.memory import MemoryStore
from tests.conftest import now


def calls(dependant: Dependant) -> Iterator[Any]:
    """A route's function, and all that it depends on."""
    yield dependant.call
    for further in dependant.dependencies:
        yield from calls(further)


def test_all_that_routes_call_are_coroutines() -> None:
    app = create_app(MemoryStore(now, session_ttl=0), cached_sessions=1)
    called = {
        call
        for route in iter_route_contexts(app.routes)
        if str(route.path).startswith("/v1/")
        for call in calls(route.dependant)
    }

    assert called
    assert not {
        call for call in called if not iscoroutinefunction(call) and not iscoroutinefunction(type(call).__call__)
    }
