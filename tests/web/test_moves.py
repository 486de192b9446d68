"""Moves: what is answered to one that is played, and why one is refused."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.web.playing import GROUP, ONE_LEFT, Guest, Json, done, place, refused, wrong_fields


def test_a_move_is_answered_with_the_session_just_after_it(guest: Guest) -> None:
    dealt = guest.deal()
    answer = guest.move(dealt, "b1G")
    session = done(answer)

    assert answer.headers["etag"] == f'"1-{session["crc"]}"'
    assert answer.headers["cache-control"] == "private, no-cache"
    assert session == dealt | {
        "seq": 1,
        "crc": session["crc"],
        "rows": [["9D", "", "2S", "JS", "7S", "5D", "4D", "4D"], *dealt["rows"][1:]],
        "foundations": [1, 1, 1, 1, 2, 1, 1, 1],
        "must_fill": "b1",
        "legal": [{"move": f"{column}2b1", "kind": "fill", "reveals": False} for column in "abcdefgh"],
        "points": {"total": 148, "promoted": 1, "tempo": 48, "assists": 0, "won": False},
        "can_undo": True,
    }


def test_the_last_fill_of_a_promotion_brings_up_a_card_of_the_stock(guest: Guest) -> None:
    session = guest.play(guest.deal(), *GROUP)

    assert [session["rows"][row][0] for row in range(4)] == ["9D", "4S", "2D", "6D"]
    assert (session["seq"], session["stock"], session["must_fill"]) == (4, 47, None)


def test_a_turn_and_a_card_from_the_waste_are_moves_of_cadogan(guest: Guest) -> None:
    turned = guest.play(guest.deal(rules="cadogan"), "S")
    assert (turned["waste"], turned["stock"]) == ("6D", 47)
    assert {"move": "Wb4", "kind": "people", "reveals": False} in turned["legal"]

    built = guest.play(turned, "Wb4")
    assert (built["waste"], built["rows"][3][1]) == ("", "7S6D")


@pytest.mark.parametrize(
    ("rules", "before", "move", "reason"),
    [
        ("modern", (), "a1G", "wrong_rank"),
        ("modern", (), "a2G", "not_top_row"),
        ("modern", (), "a3a1", "not_row_below"),
        ("modern", (), "a1a1", "same_place"),
        ("modern", (), "a3a2", "not_deep"),
        ("modern", (), "g1f1", "wrong_colour"),
        ("modern", (), "S", "no_waste"),
        ("modern", ("b1G",), "c1G", "must_fill"),
        ("cadogan", (), "a1b1", "no_lateral"),
        ("cadogan", (), "Wb4", "empty_source"),
        ("cadogan-1914", (), "Wb4", "no_people"),
        ("cadogan", ("S",) * 48, "S", "stock_empty"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason_and_what_is_legal(
    rules: str, before: tuple[str, ...], move: str, reason: str, guest: Guest
) -> None:
    session = guest.play(guest.deal(rules=rules), *before)

    problem = refused(guest.move(session, move), 422, "illegal_move")

    assert problem["title"] == "Unprocessable Content"
    assert problem["detail"] == f"{move} is not legal here: {reason}."
    assert problem["reason"] == reason
    assert problem["legal"] == session["legal"]
    assert guest.see(session) == session


@pytest.mark.parametrize(
    ("move", "wrong"),
    [
        ("", "not a move: at 0, the end, there should be a place, a1 to h4, or W or S"),
        ("i1G", "not a move: at 0, 'i1G', there should be a place, a1 to h4, or W or S"),
        ("a5G", "not a move: at 0, 'a5G', there should be a place, a1 to h4, or W or S"),
        ("b1", "not a move: at 2, the end, there should be a place, a1 to h4, or G"),
        ("b1g", "not a move: at 2, 'g', there should be a place, a1 to h4, or G"),
        ("b1G ", "not a move: at 3, ' ', there should be the end"),
        ("b1G\n", "not a move: at 3, '\\n', there should be the end"),
        ("é1G", "not a move: at 0, 'é1G', there should be a place, a1 to h4, or W or S"),
        ("b1G" * 34, "String should have at most 100 characters"),
        (None, "Input should be a valid string"),
        (["b1G"], "Input should be a valid string"),
    ],
)
def test_what_is_no_move_is_told_where_it_goes_wrong(move: object, wrong: str, guest: Guest) -> None:
    session = guest.deal()

    assert wrong_fields(guest.command(session, "moves", move=move), 422) == {"move": wrong}
    assert guest.see(session) == session


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"at": 0}, {"move": "Field required"}),
        ({"move": "b1G"}, {"at": "there should be the seq that you saw last, here or as If-Match"}),
        ({"move": "b1G", "at": None}, {"at": "there should be the seq that you saw last, here or as If-Match"}),
        ({"move": "b1G", "at": -1}, {"at": "Input should be greater than or equal to 0"}),
        ({"move": "b1G", "at": 2**31}, {"at": "Input should be less than 2147483648"}),
        ({"move": "b1G", "at": 0.5}, {"at": "Input should be a valid integer"}),
        ({"move": "b1G", "at": "0"}, {"at": "Input should be a valid integer"}),
        ({"move": "b1G", "at": True}, {"at": "Input should be a valid integer"}),
        ({"move": "b1G", "at": 0, "crc": 0}, {"crc": "Input should be a valid string"}),
        ({"move": "b1G", "at": 0, "crc": "0000000"}, {"crc": "String should match pattern '^[0-9a-f]{8}$'"}),
        ({"move": "b1G", "at": 0, "crc": "0000000A"}, {"crc": "String should match pattern '^[0-9a-f]{8}$'"}),
        ({"move": "b1G", "at": 0, "crc": "00000000\n"}, {"crc": "String should match pattern '^[0-9a-f]{8}$'"}),
        ({"move": "b1G", "at": 0, "seat": 0}, {"seat": "Extra inputs are not permitted"}),
    ],
)
def test_a_body_that_does_not_fit_is_told_each_field_that_is_wrong(
    body: Json, wrong: dict[str, str], guest: Guest
) -> None:
    session = guest.deal()

    assert wrong_fields(guest.post(f"/v1/sessions/{session['id']}/moves", body), 422) == wrong
    assert guest.see(session) == session


@pytest.mark.parametrize(
    "named",
    [{"at": 0}, {"at": 0, "crc": None}, {"at": 0, "crc": "00000000"}],
)
def test_a_move_may_leave_the_crc_of_its_place_out(named: Json, guest: Guest) -> None:
    session = guest.deal()

    assert done(guest.post(f"/v1/sessions/{session['id']}/moves", {"move": "b1G", **named}))["seq"] == 1


@pytest.mark.parametrize("body", [{}, {"at": 1}, {"crc": "{crc}"}, {"at": 1, "crc": "{crc}"}])
def test_if_match_names_the_place_too(body: Json, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    body = {name: value.format(**session) if isinstance(value, str) else value for name, value in body.items()}

    etag = guest.get(f"/v1/sessions/{session['id']}").headers["etag"]
    answer = guest.post(f"/v1/sessions/{session['id']}/moves", {"move": "a2b1", **body}, If_Match=etag)

    assert done(answer)["seq"] == 2


@pytest.mark.parametrize("body", [{"at": 0}, {"crc": "ffffffff"}, {"at": 1, "crc": "ffffffff"}])
def test_if_match_and_the_body_name_one_place(body: Json, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G")
    etag = f'"1-{session["crc"]}"'
    path = f"/v1/sessions/{session['id']}/moves"

    wrong = wrong_fields(guest.post(path, {"move": "a2b1", **body}, If_Match=etag), 400)
    assert wrong == {"If-Match": "it names another place than the body"}


@pytest.mark.parametrize("etag", ["", "*", "0-00000000", 'W/"0-00000000"', '"0-0000000A"', '"0"', '"-1-00000000"'])
def test_an_etag_that_no_session_had_is_a_bad_request(etag: str, guest: Guest) -> None:
    session = guest.deal()
    answer = guest.post(f"/v1/sessions/{session['id']}/moves", {"move": "b1G"}, If_Match=etag)

    assert wrong_fields(answer, 400) == {"If-Match": 'there should be the ETag of a session, as "17-9a0b12ff"'}


def test_only_the_player_of_a_seat_plays(guest: Guest, rival: Guest, http: httpx.Client) -> None:
    session = guest.deal()
    path = f"/v1/sessions/{session['id']}/moves"

    assert refused(rival.move(session, "b1G"), 403, "not_your_seat")["detail"] == "You have no seat in this session."
    answer = http.post(path, json={"move": "b1G", "at": 0})
    refused(answer, 401, "unauthorised")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert guest.see(session) == session


def test_a_move_that_is_sent_again_is_answered_in_the_same_bytes(guest: Guest) -> None:
    session = guest.deal()
    first = guest.move(session, "b1G")
    guest.play(done(first), "a2b1", "a3a2")
    second = guest.move(session, "b1G")

    assert second.content == first.content
    assert second.headers["etag"] == first.headers["etag"]
    assert done(guest.post(f"/v1/sessions/{session['id']}/moves", {"move": "b1G", "at": 0})) == done(first)
    assert guest.see(session)["seq"] == 3


def test_the_winning_move_is_answered_in_the_same_bytes_though_the_game_is_over(guest: Guest) -> None:
    session = guest.deal(ONE_LEFT)
    first = guest.move(session, "a1G")

    assert guest.move(session, "a1G").content == first.content
    won = done(first)
    assert (won["status"], won["legal"], won["can_undo"]) == ("won", [], False)
    assert won["points"] == {"total": 9000, "promoted": 80, "tempo": 0, "assists": 0, "won": True}
    refused(guest.move(won, "a1G"), 409, "session_over")


def test_one_move_from_eight_clients_at_once_is_one_entry(guest: Guest) -> None:
    session = guest.deal()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: guest.move(session, "b1G"), range(8)))

    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.content for answer in answers}) == 1
    assert guest.see(session)["seq"] == 1


def test_of_two_moves_at_once_on_one_place_the_other_is_stale(guest: Guest) -> None:
    session = guest.deal()
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda move: guest.move(session, move), ("b1G", "a2g1")))

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    stale = next(answer for answer in answers if answer.status_code == 409).json()
    assert (stale["code"], [event["seq"] for event in stale["missed"]]) == ("stale", [1])
    assert place(guest.see(session)) == place(stale["session"])
