"""Records: the text of a game."""

import httpx
import pytest

from service.engine.notation import parse_move
from service.engine.record import parse_record
from tests.web.playing import GROUP, Guest, done, refused


def test_a_record_tells_every_command_of_a_game(guest: Guest, http: httpx.Client) -> None:
    session = guest.play(guest.deal(), *GROUP)
    for command in ("undo", "redo", "restart", "resign"):
        session = done(guest.command(session, command))

    answer = http.get(f"/v1/sessions/{session['id']}/record")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["cache-control"] == "private, no-cache"
    assert answer.text == (
        '[Game "British Constitution"]\n'
        '[Rules "modern"]\n'
        '[Deal "pysol:1"]\n'
        '[Engine "1"]\n'
        '[Status "resigned"]\n'
        '[Points "0"]\n'
        "\n"
        "1. b1G 2. a2b1 3. a3a2 4. a4a3 5. undo:4 6. redo:4 7. restart 8. resign\n"
    )


def test_a_record_parses_to_what_was_played(guest: Guest) -> None:
    session = guest.play(guest.deal("seed:" + "0" * 64, rules="cadogan"), "S", "S")

    record = parse_record(guest.get(f"/v1/sessions/{session['id']}/record").text)

    assert [entry.move for entry in record.entries] == [parse_move("S")] * 2


def test_a_game_that_has_not_begun_has_a_record(guest: Guest) -> None:
    text = guest.get(f"/v1/sessions/{guest.deal('42')['id']}/record").text

    assert text.endswith('[Deal "42"]\n[Engine "1"]\n[Status "playing"]\n[Points "0"]\n\n')
    assert parse_record(text).entries == ()


@pytest.mark.parametrize("spectators", [True, False])
def test_the_record_of_a_secret_deal_is_told_when_the_game_is_over(spectators: bool, guest: Guest) -> None:
    session = guest.deal("secret", spectators=spectators)
    path = f"/v1/sessions/{session['id']}/record"

    problem = refused(guest.get(path), 409, "still_secret")
    assert problem["detail"] == "The deal is still secret."

    over = done(guest.command(session, "resign"))
    assert f'[Deal "{over["deal"]}"]\n' in guest.get(path).text
