"""Undo, redo and restart."""

import pytest

from tests.web.playing import GROUP, Guest, Json, done, refused, wrong_fields


def board(session: Json) -> Json:
    """What a board shows, without its place in history and what it cost."""
    left_out = ("seq", "crc", "points", "legal", "can_undo", "can_redo")
    return {name: value for name, value in session.items() if name not in left_out}


def test_an_undo_takes_back_a_move_with_the_fills_it_caused(guest: Guest) -> None:
    dealt = guest.deal()
    undone = done(guest.command(guest.play(dealt, *GROUP), "undo"))

    assert board(undone) == board(dealt)
    assert (undone["seq"], undone["can_undo"], undone["can_redo"]) == (5, False, True)


def test_a_card_that_an_undo_covers_again_is_an_assist_and_reveals_no_more(guest: Guest) -> None:
    filled = guest.play(guest.deal(), *GROUP[:3])
    assert [move["reveals"] for move in filled["legal"]] == [True] * 8

    undone = done(guest.command(guest.play(filled, GROUP[3]), "undo", by="step"))

    assert [move["reveals"] for move in undone["legal"]] == [False] * 8
    assert undone["points"] == {"total": 98, "promoted": 1, "tempo": 48, "assists": 1, "won": False}


def test_an_undo_by_step_takes_back_one_fill(guest: Guest) -> None:
    filled = guest.play(guest.deal(), *GROUP[:2])
    undone = done(guest.command(guest.play(filled, GROUP[2]), "undo", by="step"))

    assert board(undone) == board(filled)
    assert (undone["can_undo"], undone["can_redo"]) == (True, True)


def test_a_redo_repeats_a_group_or_a_step_of_it(guest: Guest) -> None:
    played = guest.play(guest.deal(), *GROUP)
    undone = done(guest.command(played, "undo"))

    step = done(guest.command(undone, "redo", by="step"))
    assert (step["must_fill"], step["can_redo"]) == ("b1", True)
    rest = done(guest.command(step, "redo", by="group"))
    assert board(rest) == board(played)
    assert (rest["can_undo"], rest["can_redo"]) == (True, False)


def test_a_restart_takes_all_back_and_a_redo_goes_forward_again(guest: Guest) -> None:
    dealt = guest.deal()
    played = guest.play(dealt, *GROUP, "c1G")

    restarted = done(guest.command(played, "restart"))
    assert board(restarted) == board(dealt)
    assert restarted["points"] == {"total": 0, "promoted": 0, "tempo": 0, "assists": 1, "won": False}

    first = done(guest.command(restarted, "redo"))
    assert board(done(guest.command(first, "redo"))) == board(played)


@pytest.mark.parametrize("command", ["undo", "redo", "restart"])
def test_there_is_nothing_to_take_back_or_repeat_at_the_beginning(command: str, guest: Guest) -> None:
    session = guest.deal()

    problem = refused(guest.command(session, command), 409, f"nothing_to_{command}")

    assert problem["detail"] == f"There is nothing to {command}."
    assert guest.see(session) == session


@pytest.mark.parametrize("command", ["undo", "redo"])
@pytest.mark.parametrize("by", ["steps", "", None, 1])
def test_a_command_goes_by_group_or_by_step(by: object, command: str, guest: Guest) -> None:
    wrong = wrong_fields(guest.command(guest.deal(), command, by=by), 422)

    assert wrong == {"by": "Input should be 'group' or 'step'"}


@pytest.mark.parametrize("command", ["restart", "resign"])
def test_a_command_that_goes_all_the_way_takes_no_by(command: str, guest: Guest) -> None:
    wrong = wrong_fields(guest.command(guest.deal(), command, by="step"), 422)

    assert wrong == {"by": "Extra inputs are not permitted"}


@pytest.mark.parametrize("command", ["undo", "redo", "restart"])
def test_a_command_that_is_sent_again_is_answered_in_the_same_bytes(command: str, guest: Guest) -> None:
    session = guest.play(guest.deal(), "b1G", "a2b1")
    if command == "redo":
        session = done(guest.command(session, "undo"))

    first = guest.command(session, command)
    guest.play(done(first), done(first)["legal"][0]["move"])

    assert done(first)["seq"] == session["seq"] + 1
    assert guest.command(session, command).content == first.content
