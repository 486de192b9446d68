"""The web client's files, as a service serves them that has them."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.app import create_app
from service.store.memory import MemoryStore
from service.web.pages import SCREENS
from tests.web.playing import refused
from tests.web.running import served

ROUTER = Path(__file__).parents[2] / "clients/web/src/app/router.svelte.ts"
PAGE = "<!doctype html><title>British Constitution</title>"
SCRIPT = "export const moves = 272;"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a build leaves behind, in small."""
    client = tmp_path_factory.mktemp("client")
    (client / "assets").mkdir()
    (client / "index.html").write_text(PAGE)
    (client / "manifest.webmanifest").write_text("{}")
    (client / "icon.svg").write_text("<svg/>")
    (client / "assets/main-5f2a.js").write_text(SCRIPT)
    (client / "assets/main-5f2a.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (client / "assets/main-5f2a.js.br").write_bytes(b"packed by brotli")
    return client


@pytest.fixture(scope="module")
def pages(folder: Path) -> Iterator[httpx.Client]:
    app = create_app(MemoryStore(lambda: 0, session_ttl=0), cached_sessions=1, client=folder)
    with served(app) as url, httpx.Client(base_url=url) as client:
        yield client


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_has_an_address_of_its_own(screen: str, pages: httpx.Client) -> None:
    answer = pages.get(re.sub(r"\{\w+\}", "one", screen))

    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"


def test_the_screens_are_those_of_the_clients_router() -> None:
    paths = re.findall(r'^  \["\w+", "(/[^"]*)"\],$', ROUTER.read_text(), re.MULTILINE)

    assert {re.sub(r":(\w+)", r"{\1}", path) for path in paths} == set(SCREENS)


def test_nothing_is_let_in_from_elsewhere(pages: httpx.Client) -> None:
    policy = pages.get("/").headers["content-security-policy"].split("; ")

    assert "default-src 'none'" in policy
    assert {source for rule in policy for source in rule.split()[1:]} == {"'none'", "'self'"}
    assert pages.get("/").headers["x-content-type-options"] == "nosniff"


def test_a_file_whose_name_tells_what_is_in_it_is_kept_for_a_year(pages: httpx.Client) -> None:
    asset, icon = pages.get("/assets/main-5f2a.js"), pages.get("/icon.svg")

    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert icon.headers["cache-control"] == "no-cache"
    assert icon.headers["content-type"] == "image/svg+xml"
    assert pages.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"


@pytest.mark.parametrize(
    ("accepts", "sent"),
    [("gzip, br;q=0.9", "br"), ("gzip;q=1, br;q=0", "gzip"), ("gzip", "gzip"), ("identity", None), ("", None)],
)
def test_a_file_comes_packed_as_the_browser_takes_it(accepts: str, sent: str | None, pages: httpx.Client) -> None:
    with pages.stream("GET", "/assets/main-5f2a.js", headers={"Accept-Encoding": accepts}) as answer:
        body = b"".join(answer.iter_raw())

    assert answer.headers.get("content-encoding") == sent
    assert "Accept-Encoding" in answer.headers["vary"]
    packed = {"br": b"packed by brotli", None: SCRIPT.encode()}
    assert (gzip.decompress(body) == SCRIPT.encode()) if sent == "gzip" else body == packed[sent]


def test_what_one_has_is_not_sent_again(pages: httpx.Client) -> None:
    tag = pages.get("/").headers["etag"]
    again = pages.get("/", headers={"If-None-Match": tag})

    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert pages.get("/", headers={"If-None-Match": 'W/"other"'}).status_code == 200


def test_its_head_is_that_of_the_page(pages: httpx.Client) -> None:
    answer = pages.head("/")

    assert (answer.status_code, answer.content, answer.headers["content-length"]) == (200, b"", str(len(PAGE)))


def test_what_is_no_screen_and_no_file_is_a_problem(pages: httpx.Client) -> None:
    refused(pages.get("/assets/main-0000.js"), 404, "not_found")
    refused(pages.get("/play"), 404, "not_found")
    refused(pages.get("/assets/../index.html/x"), 404, "not_found")
    assert pages.post("/new").headers["allow"] == "GET, HEAD"


def test_where_no_client_was_built_the_apis_pages_are_what_is_to_be_seen(tmp_path: Path) -> None:
    app = create_app(MemoryStore(lambda: 0, session_ttl=0), cached_sessions=1, client=tmp_path)
    with served(app) as url:
        answer = httpx.get(url)

    assert (answer.status_code, answer.headers["location"]) == (307, "/docs")
