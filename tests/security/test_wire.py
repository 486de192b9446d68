"""Requests that two readers could take for different ones, paths that lead elsewhere, and headers that are told."""

import re

import pytest

from tests.security.conftest import PAGE, Say

POST = b"POST /v1/players HTTP/1.1\r\nHost: cards.example\r\nContent-Type: application/json\r\n"
GET = b"GET /livez HTTP/1.1\r\nHost: cards.example\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
NEXT = b"GET /v1/players/smuggled HTTP/1.1\r\nHost: cards.example\r\nConnection: close\r\n\r\n"
"""What would be a request of somebody else's, if the one before it ended sooner than a proxy thinks."""

AMBIGUOUS = {
    "a length and chunks": POST + CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n",
    "chunks and a length": POST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n",
    "two lengths": POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a list of lengths": POST + b"Content-Length: 2, 2\r\n\r\n{}",
    "a signed length": POST + b"Content-Length: +2\r\n\r\n{}",
    "a hexadecimal length": POST + b"Content-Length: 0x2\r\n\r\n{}",
    "a space before the colon": POST + b"Content-Length : 2\r\n\r\n{}",
    "another coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a coding after chunks": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "two codings": POST + CHUNKED + b"Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "a hidden coding": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a chunk of a signed size": POST + CHUNKED + b"\r\n+2\r\n{}\r\n0\r\n\r\n",
    "a chunk of a prefixed size": POST + CHUNKED + b"\r\n0x2\r\n{}\r\n0\r\n\r\n",
    "a chunk that ends by a bare line feed": POST + CHUNKED + b"\r\n2\n{}\r\n0\r\n\r\n",
    "an extension that does": POST + CHUNKED + b"\r\n2;\n{}\r\n0\r\n\r\n",
    "a length behind the chunks": POST + CHUNKED + b"\r\n2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n",
    "bare line feeds": GET.replace(b"\r\n", b"\n") + b"\n",
    "a bare carriage return": GET + b"X: a\rContent-Length: 9\r\n\r\n",
    "a folded header": GET + b"X: a\r\n Content-Length: 9\r\n\r\n",
    "a null": GET + b"X: a\x00b\r\n\r\n",
}
ELSEWHERE = [
    "/assets/../../secret.txt",
    "/../secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/..%5c..%5csecret.txt",
    "//secret.txt",
    "/static-offline-docs/../../../../../../../../../../etc/passwd",
    "/static-offline-docs/..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc/passwd",
    "/static-offline-docs//etc/passwd",
    "/static-offline-docs/%00",
]


def statuses(answer: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


def reading(path: str, *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: cards.example", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1")


@pytest.mark.parametrize("request_", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_a_request_that_two_readers_could_end_elsewhere_is_refused_and_the_connection_ends(
    request_: bytes, say: Say
) -> None:
    answer = say(request_ + NEXT)

    assert statuses(answer) == [400]
    assert b"smuggled" not in answer


def test_two_requests_that_are_plain_are_answered_both(say: Say) -> None:
    answer = say(POST + b"Content-Length: 2\r\n\r\n{}" + NEXT)

    assert statuses(answer) == [201, 404]
    assert b"smuggled" in answer


@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_path_leads_out_of_what_is_served(path: str, say: Say) -> None:
    answer = say(reading(path))

    assert statuses(answer) == [404]
    assert b"nobody reads this" not in answer
    assert b"root:" not in answer


@pytest.mark.parametrize("path", ["/", "/play/x", "/docs", "/docs/live", "/openapi.json", "/livez", "/nothing"])
def test_no_answer_believes_where_it_is_said_to_be(path: str, say: Say) -> None:
    foreign = ("X-Forwarded-Host", "X-Forwarded-Prefix", "X-Original-URL", "X-Rewrite-URL", "Forwarded", "Referer")
    answer = say(reading(path, *(f"{name}: evil.example" for name in foreign)))
    at_another = say(reading(path).replace(b"cards.example", b"evil.example"))

    assert statuses(answer) == statuses(at_another) == [404 if path == "/nothing" else 200]
    assert b"evil.example" not in answer + at_another


@pytest.mark.parametrize("path", ["//evil.example", "//evil.example/", "/\\evil.example", "/%2f%2fevil", "/docs/"])
def test_nobody_is_sent_to_another_site(path: str, say: Say) -> None:
    answer = say(reading(path))

    assert statuses(answer) == [404]
    assert b"\r\nlocation:" not in answer.lower()


def test_a_path_adds_no_header(say: Say) -> None:
    answer = say(reading("/nothing%0d%0aSet-Cookie:%20a=b"))

    assert statuses(answer) == [404]
    assert b"set-cookie" not in answer.split(b"\r\n\r\n")[0].lower()


def test_the_pages_may_be_framed_by_nobody_and_send_nothing_elsewhere(say: Say) -> None:
    head, _, body = say(reading("/play/x")).partition(b"\r\n\r\n")
    policy = re.findall(rb"(?i)content-security-policy: ([^\r]*)", head)[0].decode().split("; ")

    assert body.decode() == PAGE
    assert {"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "script-src 'self'"} <= set(policy)
    assert b"cross-origin-opener-policy: same-origin" in head.lower()
    assert b"referrer-policy: same-origin" in head.lower()
