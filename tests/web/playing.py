"""What the tests of the routes share: guests who play, and positions that are worth playing from."""

from typing import Any, TypeAlias

import httpx

Json: TypeAlias = dict[str, Any]

ONE_LEFT = "position:JD,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,- JJJJJJJT - -"
"""One promotion, `a1G`, from a win."""
WON = "position:-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,-/-,-,-,-,-,-,-,- JJJJJJJJ - -"
TO_AND_FRO = (
    "position:9D,4H,7S6H,JS,7S,5D4S,4D,4D/8D,TC,8D,JC,4H,2H,9C,JD/TH,6H,8H,TD,2S,3D,8S,5D/TD,8H,7C,6D,4C,7H,TC,6D "
    "3A2A2A22 4C3CTSJS3S5C6CJCJH9C9S8C8C3H7H3S4S7D6S5C9H5STS5H9S3D9D6C7D7C3HJH5S6S8STH9H5HJD2C -"
)
"""A position of modern that is stuck, in which `c1e1` and `e1c1` can be played in turn for ever."""
GROUP = ("b1G", "a2b1", "a3a2", "a4a3")
"""The first promotion of pysol:1 under modern, and fills that settle the board: one group, that reveals 6D on a4."""


class Guest:
    """A new player, who speaks to the service with a token."""

    def __init__(self, http: httpx.Client) -> None:
        made = http.post("/v1/players").json()
        self.id: str = made["id"]
        self.name: str = made["name"]
        self.token: str = made["token"]
        self._http = http
        self._headers = {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._http.get(path, headers=self._headers | _named(headers))

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        return self._http.post(path, json=body, headers=self._headers | _named(headers))

    def patch(self, path: str, body: object) -> httpx.Response:
        return self._http.patch(path, json=body, headers=self._headers)

    def put(self, path: str) -> httpx.Response:
        return self._http.put(path, headers=self._headers)

    def delete(self, path: str) -> httpx.Response:
        return self._http.delete(path, headers=self._headers)

    def deal(self, deal: str = "pysol:1", **asked: object) -> Json:
        """A new session."""
        answer = self.post("/v1/sessions", {"deal": deal, **asked})
        assert answer.status_code == 201, answer.text
        session: Json = answer.json()
        return session

    def command(self, session: Json, command: str, **body: object) -> httpx.Response:
        """What the service says to a command on the place of the session as it was seen."""
        return self.post(f"/v1/sessions/{session['id']}/{command}", {**place(session), **body})

    def move(self, session: Json, move: str) -> httpx.Response:
        return self.command(session, "moves", move=move)

    def play(self, session: Json, *moves: str) -> Json:
        """The session after moves that are legal."""
        for move in moves:
            session = done(self.move(session, move))
        return session

    def see(self, session: Json) -> Json:
        """The session as it is now."""
        return done(self.get(f"/v1/sessions/{session['id']}"))


def place(session: Json) -> Json:
    """The place of the session, as a command names it."""
    return {"at": session["seq"], "crc": session["crc"]}


def done(answer: httpx.Response) -> Json:
    """The body of an answer to what was done."""
    assert answer.status_code == 200, answer.text
    body: Json = answer.json()
    return body


def refused(answer: httpx.Response, status: int, code: str) -> Json:
    """The body of an error with this status and code."""
    body: Json = answer.json()
    assert (answer.status_code, body["code"]) == (status, code)
    return body


def wrong_fields(answer: httpx.Response, status: int) -> dict[str, str]:
    """What a refused request did wrong: a message for each field."""
    return {error["field"]: error["message"] for error in refused(answer, status, "bad_request")["errors"]}


def _named(headers: dict[str, str]) -> dict[str, str]:
    """`If_Match` as a keyword is the header If-Match."""
    return {name.replace("_", "-"): value for name, value in headers.items()}
