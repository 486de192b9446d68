"""The proxy with a certificate: everything is by TLS then, pages, streams and sockets."""

import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets

from tests.deploy.stack import Stack

CERTIFY = [
    *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
    *("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"),
]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate and its key in one file, alone in its folder, as the proxy reads them."""
    folder = tmp_path_factory.mktemp("certificates")
    key, certificate = folder / "key", folder / "certificate"
    subprocess.run([*CERTIFY, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    both = folder / "for-the-proxy" / "localhost.pem"
    both.parent.mkdir()
    both.write_text(certificate.read_text() + key.read_text())
    both.parent.chmod(0o755)
    both.chmod(0o644)
    return both


@pytest.fixture(scope="module")
def secured(standing: Stack, certificate: Path) -> Iterator[tuple[str, ssl.SSLContext]]:
    """HOST:PORT by TLS, and whom a client trusts."""
    before = standing.environment
    standing.environment = {**before, "TLS": "on", "CERTIFICATES": str(certificate.parent)}
    standing.up("proxy")
    host, _, port = standing.door.partition(":")
    yield f"{host}:{int(port) + 1}", ssl.create_default_context(cafile=certificate)
    standing.environment = before
    standing.up("proxy")


Secured = tuple[str, ssl.SSLContext]


def test_whoever_comes_without_tls_is_sent_to_it(secured: Secured, standing: Stack) -> None:
    door, trusted = secured
    answer = httpx.get(f"{standing.url}/docs?x=1", trust_env=False)

    assert answer.status_code == 308
    assert answer.headers["location"] == f"https://{door}/docs?x=1"
    page = httpx.get(answer.headers["location"], verify=trusted, trust_env=False)
    assert page.status_code == 200
    assert "max-age" in page.headers["strict-transport-security"]


async def test_a_page_served_by_tls_is_of_the_services_own_origin(secured: Secured) -> None:
    door, trusted = secured
    async with httpx.AsyncClient(base_url=f"https://{door}", verify=trusted, trust_env=False) as http:
        token = (await http.post("/v1/players", json={})).json()["token"]
        session = (await http.post("/v1/sessions", json={}, headers={"Authorization": f"Bearer {token}"})).json()
    url = f"wss://{door}/v1/sessions/{session['id']}/live"
    async with websockets.connect(url, ssl=trusted, origin=websockets.Origin(f"https://{door}")) as link:
        await link.send('{"type": "hello", "v": 1}')
        assert '"welcome"' in str(await link.recv())

    for foreign in (f"http://{door}", "https://elsewhere.example"):
        with pytest.raises(websockets.InvalidStatus, match="403"):
            await websockets.connect(url, ssl=trusted, origin=websockets.Origin(foreign))


def test_what_is_older_than_tls_1_2_is_refused(secured: Secured, standing: Stack) -> None:
    door, _ = secured
    old = subprocess.run(
        ["openssl", "s_client", "-connect", door, "-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"],
        input="", capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert old.returncode != 0
    assert "alert protocol version" in old.stderr
