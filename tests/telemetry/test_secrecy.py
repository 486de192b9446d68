"""That the log tells no secret, even where it tells most."""

import json
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.live.replica import replica
from tests.servers import WHEEL, server
from tests.telemetry.test_logs import ends
from tests.web.playing import Guest, Json
from tests.web.running import until

PASSWORD = "a-password-of-the-store"
TOKEN = "a-token-for-the-metrics"


def forge(secret: str) -> str:
    """A secret that is not known, and looks like one that is."""
    return secret[:-1] + ("0" if secret[-1] != "0" else "1")


class Visitor:
    """Somebody who does all for which there are secrets, and gets some of it wrong; `secrets` are all of them."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self.secrets: set[str] = set()
        self.guest = Guest(http)
        self.secrets.add(self.guest.token)

    def keep(self, answer: httpx.Response, *names: str) -> Json:
        """What was answered, and was secret in it; something like it, which is refused, is as secret."""
        body: Json = answer.json()
        for name in names:
            self.secrets |= {body[name], forge(body[name])}
        return body

    def come_back(self) -> None:
        """Recovers, with a wrong code first, and goes on with a wrong token."""
        made = self.keep(self._http.post("/v1/players"), "token", "recovery_code")
        for code in (forge(made["recovery_code"]), made["recovery_code"]):
            answer = self._http.post("/v1/players/recover", json={"recovery_code": code})
        self.keep(answer, "token")
        for header in (f"Bearer {forge(made['token'])}", f"Basic {made['token']}", made["token"]):
            assert self._http.get("/v1/players/me", headers={"Authorization": header}).status_code == 401
        torn, kind = json.dumps(made)[:-1], {"Content-Type": "application/json"}
        assert self._http.post("/v1/players/recover", content=torn, headers=kind).status_code == 400

    def play_with_another(self) -> None:
        """Has somebody join, who knows a wrong invite first."""
        session = self.guest.deal(mode="turns", seats=2)
        self.secrets |= {session["invite"], forge(session["invite"])}
        other = Guest(self._http)
        self.secrets.add(other.token)
        for invite in (forge(session["invite"]), session["invite"]):
            other.post(f"/v1/sessions/{session['id']}/join", {"invite": invite})
        self.watch(session["id"])

    def ticket(self) -> str:
        ticket: str = self.keep(self.guest.post("/v1/tickets", {}), "ticket")["ticket"]
        return ticket

    def watch(self, session: str) -> None:
        """Watches by a stream and by sockets, with tickets that are good and such as are not."""
        ticket = self.ticket()
        stream = f"/v1/sessions/{session}/stream"
        with self._http.stream("GET", stream, params={"ticket": ticket}) as answer:
            assert answer.status_code == 200
        for wrong in (ticket, forge(ticket), ticket * 9):
            assert self._http.get(stream, params={"ticket": wrong}).status_code in {400, 401}
        url = str(self._http.base_url).replace("http", "ws")
        for path in (f"v1/sessions/{session}/live?ticket={ticket}", "v1/live", f"v1/nowhere?ticket={ticket}"):
            for hello in ({"ticket": self.ticket()}, {"ticket": forge(ticket)}, {"tickets": ticket}):
                with suppress(InvalidStatus, ConnectionClosed), connect(f"{url}/{path}") as socket:
                    socket.send(json.dumps({"type": "hello", "v": 1, **hello}))
                    socket.recv()


@pytest.mark.parametrize("form", ["text", "json"])
def test_tokens_codes_tickets_invites_and_passwords_are_never_logged(form: str, tmp_path: Path) -> None:
    settings = {"REDIS_PASSWORD": PASSWORD, "METRICS_TOKEN": TOKEN, "LOG_LEVEL": "debug", "LOG_FORMAT": form}
    with server(WHEEL) as redis:
        assert redis.control.config_set("requirepass", PASSWORD)
        with replica(redis.url, tmp_path / "service.log", **settings) as one, httpx.Client(base_url=one.url) as http:
            visitor = Visitor(http)
            visitor.come_back()
            visitor.play_with_another()
            for token in (TOKEN, forge(TOKEN)):
                http.get("/metrics", headers={"Authorization": f"Bearer {token}"})
            redis.kill()
            assert http.get("/readyz").status_code == 503
            visitor.guest.get("/v1/players/me")
            until(lambda: "node" in one.log)
            command = Path(f"/proc/{one.process.pid}/cmdline").read_text()

    assert len(visitor.secrets) > 15
    for secret in (*visitor.secrets, PASSWORD, TOKEN, forge(TOKEN)):
        assert secret not in one.log
        assert secret not in command
    assert "Traceback" not in one.log
    for route in ("/v1/players/recover", "/v1/sessions/{session}/stream", "/v1/live", "/metrics", "/v1/tickets"):
        assert route in one.log
    if form == "json":
        assert len(ends(one)) > 20


def test_a_wrong_password_of_the_store_is_told_without_it(tmp_path: Path) -> None:
    with server(WHEEL) as redis:
        assert redis.control.config_set("requirepass", PASSWORD)
        with replica(redis.url, tmp_path / "service.log", REDIS_PASSWORD=forge(PASSWORD), LOG_LEVEL="debug") as one:
            assert httpx.get(f"{one.url}/readyz").status_code == 503

    assert "WRONGPASS" in one.log or "invalid username-password pair" in one.log
    assert PASSWORD[:-1] not in one.log
