"""Several people on one session, over HTTP."""

import re

import httpx
import pytest

from tests.web.playing import WON, Guest, Json, done, refused, wrong_fields
from tests.web.running import Running

CODE = re.compile("[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}")


def join(guest: Guest, session: Json, invite: str | None = None) -> httpx.Response:
    return guest.post(f"/v1/sessions/{session['id']}/join", {"invite": invite or session["invite"]})


def leave(guest: Guest, session: Json) -> httpx.Response:
    return guest.post(f"/v1/sessions/{session['id']}/leave", {})


@pytest.mark.parametrize("mode", ["free_hands", "turns", "departments"])
def test_a_shared_session_is_dealt_joined_and_left(mode: str, guest: Guest, rival: Guest) -> None:
    session = guest.deal(mode=mode, seats=3)
    assert (session["mode"], session["capacity"], session["you"]) == (mode, 3, 0)
    assert CODE.fullmatch(session["invite"])

    answer = join(rival, session, session["invite"].replace("-", "").lower())

    joined = done(answer)
    assert answer.headers["etag"] == '"0-00000000"'
    assert joined["seats"] == [
        {"seat": 0, "player": guest.id, "name": guest.name},
        {"seat": 1, "player": rival.id, "name": rival.name},
    ]
    assert (joined["you"], joined["invite"]) == (1, session["invite"])
    assert done(join(rival, session)) == joined == rival.see(session)
    assert [one["id"] for one in done(rival.get("/v1/sessions"))["sessions"]] == [session["id"]]

    for _ in range(2):
        left = leave(guest, session)
        assert (left.status_code, left.content) == (204, b"")
    assert rival.see(session)["seats"] == joined["seats"][1:]


def test_the_code_is_shown_to_those_who_have_a_seat_while_others_may_still_come(
    guest: Guest, rival: Guest, http: httpx.Client
) -> None:
    session = guest.deal(mode="turns")
    assert (guest.see(session)["invite"], rival.see(session)["invite"]) == (session["invite"], None)
    assert http.get(f"/v1/sessions/{session['id']}").json()["invite"] is None
    assert guest.deal()["invite"] is None

    guest.command(session, "resign")
    assert guest.see(session)["invite"] is None


def test_seats_play_in_turn_and_each_is_shown_what_is_its_own(guest: Guest, rival: Guest) -> None:
    mine = guest.deal(mode="turns")
    theirs = done(join(rival, mine))
    assert (mine["turn"], theirs["turn"], theirs["legal"]) == (0, 0, [])
    assert refused(rival.move(theirs, "b1G"), 422, "illegal_move")["reason"] == "not_your_turn"

    mine = guest.play(mine, "b1G", "g2b1", "b3g2", "a4b3")
    theirs = rival.see(mine)

    assert theirs["seq"] == 4
    assert (theirs["turn"] == 1) is bool(theirs["legal"])


def test_an_undo_of_anothers_move_needs_consent(guest: Guest, rival: Guest) -> None:
    mine = guest.deal(mode="free_hands")
    join(rival, mine)
    mine = guest.play(mine, "b1G", "g2b1")
    refused(rival.command(mine, "undo", by="step"), 409, "consent_needed")

    agreed = done(guest.command(mine, "consent", count=1))
    assert done(guest.command(mine, "consent", count=1)) == agreed
    assert agreed["seq"] == mine["seq"] + 1
    assert done(rival.command(agreed, "undo", by="step"))["rows"] != mine["rows"]


def test_nobody_resigns_for_others(guest: Guest, rival: Guest) -> None:
    session = guest.deal(mode="free_hands")
    join(rival, session)
    refused(guest.command(session, "resign"), 409, "others_play")

    leave(rival, session)
    assert done(guest.command(session, "resign"))["status"] == "resigned"


def test_whoever_has_left_plays_no_more(guest: Guest, rival: Guest) -> None:
    session = guest.deal(mode="free_hands")
    join(rival, session)
    leave(rival, session)

    refused(rival.move(session, "b1G"), 403, "not_your_seat")
    assert (rival.see(session)["you"], rival.see(session)["legal"]) == (None, [])


def test_a_private_session_is_seen_by_its_seats_alone(guest: Guest, rival: Guest) -> None:
    session = guest.deal(mode="departments", spectators=False)
    path = f"/v1/sessions/{session['id']}"
    refused(rival.get(path), 403, "not_for_spectators")
    assert done(join(rival, session)) == rival.see(session)
    leave(rival, session)
    refused(rival.get(path), 403, "not_for_spectators")


def test_no_seat_is_had_with_a_wrong_code_nor_where_none_is_free(
    guest: Guest, rival: Guest, http: httpx.Client
) -> None:
    session = guest.deal(mode="turns")
    refused(join(rival, session, "0000-0000"), 403, "wrong_invite")
    refused(join(rival, guest.deal(), "0000-0000"), 403, "wrong_invite")
    refused(join(rival, {"id": "nowhere"}, session["invite"]), 404, "no_such_session")
    join(rival, session)
    refused(join(Guest(http), session), 409, "no_free_seat")
    over = guest.deal(mode="turns")
    guest.command(over, "resign")
    refused(join(rival, over), 409, "session_over")


def test_a_deal_that_is_won_takes_nobody_in(guest: Guest) -> None:
    assert guest.deal(WON, mode="turns")["invite"] is None


def test_a_solo_session_and_none_at_all_cannot_be_left(guest: Guest) -> None:
    refused(leave(guest, guest.deal()), 409, "solo_session")
    refused(leave(guest, {"id": "nowhere"}), 404, "no_such_session")


def test_a_view_of_a_shared_session_is_told_again_since_seats_change_without_an_entry(
    guest: Guest, rival: Guest
) -> None:
    session = guest.deal(mode="turns")
    path, etag = f"/v1/sessions/{session['id']}", '"0-00000000"'
    join(rival, session)

    assert len(done(guest.get(path, If_None_Match=etag))["seats"]) == 2
    assert guest.get(f"/v1/sessions/{guest.deal()['id']}", If_None_Match=etag).status_code == 304


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"seats": 2}, {"seats": "there should be 1 of them in the mode solo"}),
        ({"mode": "turns", "seats": 1}, {"seats": "there should be 2 to 4 of them in the mode turns"}),
        ({"mode": "turns", "seats": 5}, {"seats": "Input should be less than or equal to 4"}),
        ({"mode": "race"}, {"mode": "Input should be 'solo', 'free_hands', 'turns' or 'departments'"}),
    ],
)
def test_seats_that_cannot_be_are_named(asked: Json, wrong: dict[str, str], guest: Guest) -> None:
    assert wrong_fields(guest.post("/v1/sessions", asked), 422) == wrong


def test_a_wish_for_a_seat_or_a_consent_that_cannot_be_is_named(guest: Guest) -> None:
    session = guest.deal(mode="turns")
    path = f"/v1/sessions/{session['id']}"

    assert wrong_fields(guest.post(f"{path}/join", {}), 422) == {"invite": "Field required"}
    long = {"invite": "String should have at most 100 characters"}
    assert wrong_fields(guest.post(f"{path}/join", {"invite": "0" * 101}), 422) == long
    few = {"count": "Input should be greater than or equal to 1"}
    assert wrong_fields(guest.command(session, "consent", count=0), 422) == few
    assert wrong_fields(guest.post(f"{path}/leave", {"why": "tired"}), 422) == {"why": "Extra inputs are not permitted"}


def test_without_a_token_there_is_no_seat(guest: Guest, http: httpx.Client, service: Running) -> None:
    session = guest.deal(mode="turns")
    for what, body in (("join", {"invite": session["invite"]}), ("leave", {})):
        refused(http.post(f"/v1/sessions/{session['id']}/{what}", json=body), 401, "unauthorised")
