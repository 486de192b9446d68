"""Requests that are no requests for anything here, and answers that have nothing to do with a game."""

import httpx
import pytest

from service.app import contract
from tests.web.playing import Guest, refused, wrong_fields

JSON = {"Content-Type": "application/json"}
NOT_JSON = "there should be a JSON object, with Content-Type: application/json"


@pytest.mark.parametrize(
    "path", ["/nothing", "/v1", "/v1/nobody/me", "/v1/sessions/a/b", "/v1/sessions/a/live", "/%00"]
)
def test_where_there_is_nothing_the_answer_is_a_problem(path: str, http: httpx.Client) -> None:
    problem = refused(http.get(path), 404, "not_found")

    assert problem["detail"].startswith("There is nothing at /")
    assert problem["title"] == "Not Found"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/players", "POST"),
        ("PUT", "/v1/sessions/a", "GET"),
        ("PUT", "/v1/sessions", "GET, POST"),
        ("GET", "/v1/sessions/a/moves", "POST"),
        ("OPTIONS", "/v1/players", "POST"),
        ("TRACE", "/livez", "GET"),
        ("PATCH", "/livez", "GET"),
    ],
)
def test_a_method_that_a_route_does_not_take_is_told_which_it_does(
    method: str, path: str, allowed: str, http: httpx.Client
) -> None:
    answer = http.request(method, path)

    assert refused(answer, 405, "method_not_allowed")["detail"] == f"{path} does not take {method}."
    assert answer.headers["allow"] == allowed


def test_a_body_above_16_kilobytes_is_refused_whether_it_says_its_length_or_not(http: httpx.Client) -> None:
    body = b'{"deal": "' + b"1" * 16 * 1024 + b'"}'

    for content in (body, iter([body[:9000], body[9000:]])):
        problem = refused(http.post("/v1/players", content=content, headers=JSON), 413, "too_large")
        assert problem["title"] == "Content Too Large"
        assert problem["detail"] == "The body is larger than this service takes."


def test_a_body_of_16_kilobytes_is_read_and_not_a_byte_more(http: httpx.Client) -> None:
    body = b" " * (16 * 1024 - 2) + b"{}"

    assert http.post("/v1/players", content=body, headers=JSON).status_code == 201
    refused(http.post("/v1/players", content=b" " + body, headers=JSON), 413, "too_large")


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        (b"{", "not JSON: at 1: Expecting property name enclosed in double quotes"),
        (b"{} {}", "not JSON: at 3: Extra data"),
        (b"'", "not JSON: at 0: Expecting value"),
        (b"\x00", "not JSON: at 0: Expecting value"),
    ],
)
def test_a_body_that_is_not_json_is_told_where(body: bytes, wrong: str, http: httpx.Client) -> None:
    assert wrong_fields(http.post("/v1/players", content=body, headers=JSON), 400) == {"body": wrong}


@pytest.mark.parametrize(
    "body",
    [b'{"\xff": 1}', b"[" * 16_000, b'{"at": ' + b"9" * 5000 + b"}"],
    ids=["not in UTF-8", "too deep", "too large a number"],
)
def test_a_body_that_no_parser_reads_is_a_bad_request(body: bytes, http: httpx.Client) -> None:
    problem = refused(http.post("/v1/players", content=body, headers=JSON), 400, "bad_request")

    assert problem["detail"] == "The body cannot be read: there should be JSON in UTF-8."


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "nonsense", "", "json"])
def test_a_body_of_another_type_is_told_which_it_should_be(content_type: str, guest: Guest) -> None:
    answer = guest._http.post(
        "/v1/sessions",
        content=b'{"deal": "42"}',
        headers={"Authorization": f"Bearer {guest.token}", "Content-Type": content_type},
    )

    assert wrong_fields(answer, 422) == {"body": NOT_JSON}


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON", "application/x+json"])
def test_json_may_come_under_any_of_its_names(content_type: str, http: httpx.Client) -> None:
    assert http.post("/v1/players", content=b"{}", headers={"Content-Type": content_type}).status_code == 201


def test_a_command_without_a_body_is_told_what_it_should_be(guest: Guest) -> None:
    path = f"/v1/sessions/{guest.deal()['id']}/resign"
    answer = guest._http.post(path, headers={"Authorization": f"Bearer {guest.token}"})

    assert wrong_fields(answer, 422) == {"body": "Field required"}


@pytest.mark.parametrize(
    "body", [b'{"\\ud800": 1}', b'{"deal": "\\ud800"}', b'{"rules": "\\ud800"}', b'{"rules": "\\u0000"}']
)
def test_half_a_character_is_refused_like_any_other_text(body: bytes, guest: Guest) -> None:
    headers = {"Authorization": f"Bearer {guest.token}", **JSON}

    assert len(wrong_fields(guest._http.post("/v1/sessions", content=body, headers=headers), 422)) == 1


def test_headers_that_are_doubled_foreign_or_long_do_no_harm(http: httpx.Client) -> None:
    odd = [(b"X-Odd", b"\xff\xfe"), (b"X-Odd", b"again"), (b"Accept", b"image/*"), (b"X-Long", b"x" * 8000)]

    assert http.get("/livez", headers=odd).status_code == 200
    refused(http.get("/v1/sessions/nowhere", headers=odd), 404, "no_such_session")


def test_the_contract_is_served_as_it_is_printed(http: httpx.Client) -> None:
    assert http.get("/openapi.json").json() == contract()


def test_the_root_leads_to_the_apis_pages_which_load_nothing_from_elsewhere(http: httpx.Client) -> None:
    assert http.get("/").headers["location"] == "/docs"

    page = http.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "https://" not in page.text
    assert "http://" not in page.text.replace(str(http.base_url), "")
