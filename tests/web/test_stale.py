"""Commands on a place that is past, or that never was."""

import pytest

from tests.web.playing import Guest, Json, done, refused


def sent(guest: Guest, session: Json, etag: str | None = None, **body: object) -> Json:
    """What is said to `c1G` on a place that is stale."""
    path = f"/v1/sessions/{session['id']}/moves"
    if etag is None:
        return refused(guest.post(path, {"move": "c1G", **body}), 409, "stale")
    return refused(guest.post(path, {"move": "c1G", **body}, If_Match=etag), 412, "stale")


@pytest.mark.parametrize(
    "named",
    [{"at": 1, "crc": "{crc}"}, {"at": 1}, {"etag": '"1-{crc}"'}, {"etag": '"1-{crc}-watch"'}],
)
def test_a_stale_command_is_told_what_it_missed_and_the_session_as_it_is(named: Json, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    now = guest.play(session, "a2b1", "a3a2")
    named = {name: value.format(**session) if isinstance(value, str) else value for name, value in named.items()}

    problem = sent(guest, session, **named)

    assert problem["detail"] == "The session has gone on to 3 since 1."
    assert problem["session"] == now == guest.see(session)
    missed = problem["missed"]
    assert [(event["seq"], event["kind"], event["move"]) for event in missed] == [
        (2, "fill", "a2b1"),
        (3, "fill", "a3a2"),
    ]
    assert missed == done(guest.get(f"/v1/sessions/{session['id']}/events?after=1"))["events"]


@pytest.mark.parametrize(
    "named",
    [
        {"at": 0, "crc": "00000001"},
        {"at": 1, "crc": "ffffffff"},
        {"at": 2, "crc": "ffffffff"},
        {"at": 3},
        {"at": 2**31 - 1, "crc": "00000000"},
        {"etag": '"1-ffffffff"'},
        {"etag": '"9999999999-00000000"'},
    ],
)
def test_a_command_on_a_place_that_never_was_is_told_the_session_alone(named: Json, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G", "a2b1")

    problem = sent(guest, session, **named)

    assert problem["detail"] == (
        "That place is not in the session's history, or too far back: begin again from the session."
    )
    assert problem["session"] == session
    assert "missed" not in problem


def test_another_command_on_the_place_of_a_retry_is_stale(guest: Guest) -> None:
    session = guest.play(guest.deal(), *("b1G", "a2b1", "a3a2", "a4a3"))
    undone = done(guest.command(session, "undo", by="group"))

    for command, body in (("undo", {"by": "step"}), ("redo", {}), ("restart", {}), ("resign", {})):
        assert refused(guest.command(session, command, **body), 409, "stale")["missed"][0]["kind"] == "undo"
    assert guest.see(session) == undone
