"""The HTTP contract is valid, whole, and what the service serves."""

import json

import pytest
from fastapi.routing import iter_route_contexts
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types
from openapi_spec_validator import OpenAPIV31SpecValidator

from service.app import contract, create_app
from service.store.memory import MemoryStore
from tests.contract.documents import DOCUMENT, FILE, PROBLEM_TYPE, operations, pointer_to, validator

OPERATIONS = operations(DOCUMENT)
CODES = {
    400: {"bad_request"},
    401: {"unauthorised"},
    403: {"not_your_seat", "not_for_spectators", "wrong_invite"},
    404: {"no_such_day", "no_such_session", "no_such_player"},
    409: {"stale", "run_over", "still_secret", "corrupt_session", "no_free_seat", "solo_session", "following_full"},
    412: {"stale"},
    413: {"too_large"},
    422: {"bad_request", "illegal_move", "name_refused"},
    429: {"rate_limited"},
    503: {"unavailable", "no_such_deal", "day_not_ready"},
}


def answers() -> list[tuple[str, str, str, str]]:
    """Every documented body: path, method, status, media type."""
    return [
        (path, method, status, media_type)
        for (path, method), operation in OPERATIONS.items()
        for status, response in operation["responses"].items()
        for media_type in response.get("content", {})
    ]


def test_the_committed_contract_is_what_the_service_says() -> None:
    assert FILE.read_text("utf-8") == json.dumps(contract(), indent=2, ensure_ascii=False) + "\n"


def test_the_contract_is_valid_openapi_3_1() -> None:
    assert DOCUMENT["openapi"] == "3.1.0"
    OpenAPIV31SpecValidator(DOCUMENT).validate()


def test_every_operation_has_a_name_a_tag_and_a_summary() -> None:
    names = {key: (operation["operationId"], operation["tags"]) for key, operation in OPERATIONS.items()}

    assert names == {
        ("/v1/players", "post"): ("createPlayer", ["players"]),
        ("/v1/players/recover", "post"): ("recoverPlayer", ["players"]),
        ("/v1/players/me", "get"): ("readMe", ["players"]),
        ("/v1/players/me", "patch"): ("renamePlayer", ["players"]),
        ("/v1/players/me", "delete"): ("deletePlayer", ["players"]),
        ("/v1/players/me/recovery_code", "post"): ("renewRecoveryCode", ["players"]),
        ("/v1/players/me/following", "get"): ("listFollowing", ["players"]),
        ("/v1/players/me/following/{player}", "put"): ("follow", ["players"]),
        ("/v1/players/me/following/{player}", "delete"): ("unfollow", ["players"]),
        ("/v1/players/{player}", "get"): ("readPlayer", ["players"]),
        ("/v1/tickets", "post"): ("createTicket", ["players"]),
        ("/v1/sessions", "post"): ("createSession", ["sessions"]),
        ("/v1/sessions", "get"): ("listSessions", ["sessions"]),
        ("/v1/sessions/{session}", "get"): ("readSession", ["sessions"]),
        ("/v1/sessions/{session}/moves", "post"): ("playMove", ["sessions"]),
        ("/v1/sessions/{session}/undo", "post"): ("undo", ["sessions"]),
        ("/v1/sessions/{session}/redo", "post"): ("redo", ["sessions"]),
        ("/v1/sessions/{session}/restart", "post"): ("restart", ["sessions"]),
        ("/v1/sessions/{session}/resign", "post"): ("resign", ["sessions"]),
        ("/v1/sessions/{session}/consent", "post"): ("consent", ["sessions"]),
        ("/v1/sessions/{session}/join", "post"): ("joinSession", ["sessions"]),
        ("/v1/sessions/{session}/leave", "post"): ("leaveSession", ["sessions"]),
        ("/v1/sessions/{session}/hint", "post"): ("hint", ["sessions"]),
        ("/v1/sessions/{session}/ask", "post"): ("ask", ["sessions"]),
        ("/v1/sessions/{session}/winnable", "get"): ("readWinnable", ["sessions"]),
        ("/v1/sessions/{session}/analysis", "get"): ("readAnalysis", ["sessions"]),
        ("/v1/sessions/{session}/history", "get"): ("readHistory", ["sessions"]),
        ("/v1/sessions/{session}/events", "get"): ("readEvents", ["sessions"]),
        ("/v1/sessions/{session}/stream", "get"): ("streamEvents", ["sessions"]),
        ("/v1/sessions/{session}/record", "get"): ("readRecord", ["sessions"]),
        ("/v1/daily/{date}/{rules}", "get"): ("readDaily", ["daily"]),
        ("/v1/daily/{date}/{rules}/run", "post"): ("beginRun", ["daily"]),
        ("/v1/players/me/days/{rules}", "get"): ("readCalendar", ["daily"]),
        ("/v1/leaderboards/daily/{date}/{rules}", "get"): ("readDayBoard", ["leaderboards"]),
        ("/v1/leaderboards/daily/{date}/{rules}/stream", "get"): ("streamDayBoard", ["leaderboards"]),
        ("/v1/leaderboards/{period}/{rules}", "get"): ("readPeriodBoard", ["leaderboards"]),
        ("/v1/deals/{deal}", "get"): ("readDeal", ["deals"]),
        ("/livez", "get"): ("isLive", ["health"]),
        ("/readyz", "get"): ("isReady", ["health"]),
    }
    assert {tag["name"] for tag in DOCUMENT["tags"]} == {
        "players",
        "sessions",
        "daily",
        "leaderboards",
        "deals",
        "health",
    }
    for operation in OPERATIONS.values():
        assert operation["summary"]
        assert operation["description"]


def test_every_route_of_the_application_is_documented_but_the_pages_the_metrics_and_the_socket() -> None:
    app = create_app(MemoryStore(lambda: 0, session_ttl=0), cached_sessions=1)
    served = {
        (str(route.path).replace(":path}", "}"), method.lower())
        for route in iter_route_contexts(app.routes)
        for method in route.methods or ["socket or files"]
    }

    assert served - set(OPERATIONS) == {
        ("/", "get"),
        ("/asyncapi.json", "get"),
        ("/docs", "get"),
        ("/docs/live", "get"),
        ("/docs/oauth2-redirect", "get"),
        ("/metrics", "get"),
        ("/openapi.json", "get"),
        ("/openapi.json", "head"),
        ("/static-offline-docs", "socket or files"),
        ("/v1/live", "socket or files"),
        ("/v1/sessions/{session}/live", "socket or files"),
    }
    assert set(OPERATIONS) <= served


def test_operations_say_who_may_call_them() -> None:
    security = {operation["operationId"]: operation.get("security", []) for operation in OPERATIONS.values()}
    public = {"createPlayer", "recoverPlayer", "readPlayer", "streamDayBoard", "isLive", "isReady"}
    also_without_a_token = {"readSession", "readHistory", "readEvents", "streamEvents", "readRecord"}
    also_without_a_token |= {"readWinnable", "readAnalysis", "readDeal"}
    also_without_a_token |= {"readDaily", "readDayBoard", "readPeriodBoard"}

    assert list(DOCUMENT["components"]["securitySchemes"]) == ["player"]
    for name, schemes in security.items():
        if name in public:
            assert schemes == []
        elif name in also_without_a_token:
            assert sorted(schemes, key=str) == [{"player": []}, {}]
        else:
            assert schemes == [{"player": []}]


@pytest.mark.parametrize(("path", "method", "status", "media_type"), answers())
def test_every_answer_has_an_example_that_fits_its_schema(path: str, method: str, status: str, media_type: str) -> None:
    content = OPERATIONS[path, method]["responses"][status]["content"][media_type]
    steps = ("paths", path, method, "responses", status, "content", media_type, "schema")

    validator(pointer_to(*steps)).validate(content["example"])
    texts = {"readRecord": "text/plain", "streamEvents": "text/event-stream", "streamDayBoard": "text/event-stream"}
    fitting = texts.get(OPERATIONS[path, method]["operationId"], "application/json")
    assert media_type == (PROBLEM_TYPE if int(status) >= 400 else fitting)
    if int(status) >= 400:
        assert content["example"]["status"] == int(status)
        assert content["example"]["code"] in CODES[int(status)]


def test_every_schema_is_a_valid_one_and_its_examples_fit_it() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        for member, described in schema.get("properties", {}).items():
            for example in described.get("examples", []):
                validator(pointer_to("components", "schemas", name, "properties", member)).validate(example)


def test_no_example_tells_a_real_secret() -> None:
    player = OPERATIONS["/v1/players", "post"]["responses"]["201"]["content"]["application/json"]["example"]

    assert len(player["token"]) < 64
