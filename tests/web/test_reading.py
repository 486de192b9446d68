"""Sessions as their players and spectators see them."""

import httpx
import pytest

from tests.web.playing import Guest, Json, done, refused, wrong_fields

READS = ("", "/record", "/history", "/events?after=0")
COMMANDS = ("moves", "undo", "redo", "restart", "resign")


def path_to(session: Json) -> str:
    return f"/v1/sessions/{session['id']}"


def test_a_player_sees_a_session_under_the_name_of_its_place(guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    answer = guest.get(path_to(session))

    assert done(answer) == session
    assert answer.headers["etag"] == f'"1-{session["crc"]}"'
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in answer.headers["vary"]


@pytest.mark.parametrize("known", ["{etag}", "W/{etag}", '"0-00000000", {etag}', "*"])
def test_who_has_the_view_is_told_so_without_it(known: str, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    etag = f'"1-{session["crc"]}"'

    answer = guest.get(path_to(session), If_None_Match=known.format(etag=etag))

    assert (answer.status_code, answer.content) == (304, b"")
    assert answer.headers["etag"] == etag
    assert answer.headers["cache-control"] == "private, no-cache"
    assert "Authorization" in answer.headers["vary"]


@pytest.mark.parametrize("known", ['"0-00000000"', '"1-{crc}-watch"', "1-{crc}", "", "nonsense"])
def test_who_has_another_view_is_given_the_one_that_is(known: str, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")

    assert done(guest.get(path_to(session), If_None_Match=known.format(crc=session["crc"]))) == session


def test_a_spectator_sees_the_board_and_may_play_nothing(guest: Guest, rival: Guest, http: httpx.Client) -> None:
    session = guest.play(guest.deal(), "b1G")
    watched = session | {"legal": [], "you": None}

    for answer in (http.get(path_to(session)), rival.get(path_to(session))):
        assert done(answer) == watched
        assert answer.headers["etag"] == f'"1-{session["crc"]}-watch"'


@pytest.mark.parametrize("read", READS)
def test_a_session_without_spectators_shows_itself_to_its_player_alone(
    read: str, guest: Guest, rival: Guest, http: httpx.Client
) -> None:
    path = path_to(guest.deal(spectators=False)) + read

    assert guest.get(path).status_code == 200
    for answer in (http.get(path), rival.get(path)):
        assert refused(answer, 403, "not_for_spectators")["detail"] == "This session shows itself to its players only."


@pytest.mark.parametrize("session", ["0" * 32, "no:such}{id", "%20", "%F0%9F%83%8F", "a%00b", "%ff", "x" * 64])
def test_there_is_no_session_of_an_id_that_was_never_given(session: str, guest: Guest) -> None:
    for read in READS:
        refused(guest.get(f"/v1/sessions/{session}{read}"), 404, "no_such_session")
    for command in COMMANDS:
        body = {"at": 0, "move": "b1G"} if command == "moves" else {"at": 0}
        refused(guest.post(f"/v1/sessions/{session}/{command}", body), 404, "no_such_session")


def test_a_problem_names_the_session_that_there_is_not(http: httpx.Client) -> None:
    problem = refused(http.get("/v1/sessions/nowhere"), 404, "no_such_session")

    assert problem == {
        "type": "urn:british-constitution:problem:no_such_session",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no session 'nowhere', or no more.",
        "code": "no_such_session",
    }


def test_an_id_of_more_than_64_characters_is_a_bad_request(http: httpx.Client) -> None:
    wrong = wrong_fields(http.get(f"/v1/sessions/{'x' * 65}"), 400)

    assert wrong == {"path.session": "String should have at most 64 characters"}
