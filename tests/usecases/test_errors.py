"""The errors of the use cases, and what becomes of each over HTTP."""

import inspect
from collections.abc import Iterator

import pytest

from service.engine.errors import Reason
from service.ports.daily import Day
from service.usecases import errors
from service.usecases.errors import UseCaseError
from service.web.problems import problem_of
from tests.usecases.world import World

DAY = Day("2026-11-30", "modern")


def family(root: type[UseCaseError] = UseCaseError) -> Iterator[type[UseCaseError]]:
    for child in root.__subclasses__():
        yield child
        yield from family(child)


async def examples(world: World) -> list[tuple[UseCaseError, int, str]]:
    """One of every error, with the status and the code it is told with."""
    session = (await world.dealt(await world.player())).seen
    return [
        (errors.BadRequest("move", "there should be one"), 422, "bad_request"),
        (errors.BadCursor("cursor", "there should be one"), 400, "bad_request"),
        (errors.BadHeader("If-Match", "there should be one"), 400, "bad_request"),
        (errors.BadAddress("rules", "there should be a preset"), 400, "bad_request"),
        (errors.Unauthorised("Who are you?"), 401, "unauthorised"),
        (errors.NameRefused("reserved", "There should be another."), 422, "name_refused"),
        (errors.NoSuchPlayer("x"), 404, "no_such_player"),
        (errors.FollowingFull(), 409, "following_full"),
        (errors.NoSuchSession("x"), 404, "no_such_session"),
        (errors.NotYourSeat(), 403, "not_your_seat"),
        (errors.NotForSpectators(), 403, "not_for_spectators"),
        (errors.MoveRefused("a1G", Reason.WRONG_RANK, []), 422, "illegal_move"),
        (errors.NothingTo("undo"), 409, "nothing_to_undo"),
        (errors.NothingTo("redo"), 409, "nothing_to_redo"),
        (errors.NothingTo("restart"), 409, "nothing_to_restart"),
        (errors.NothingTo("consent"), 409, "nothing_to_consent"),
        (errors.ConsentMissing("undo", 2, frozenset({1})), 409, "consent_needed"),
        (errors.OthersStillPlay(), 409, "others_play"),
        (errors.WrongInvite(), 403, "wrong_invite"),
        (errors.NoFreeSeat(), 409, "no_free_seat"),
        (errors.SoloSession(), 409, "solo_session"),
        (errors.SessionOver("won"), 409, "session_over"),
        (errors.LogFull(5_000), 409, "log_full"),
        (errors.Stale(0, [], session), 409, "stale"),
        (errors.StillSecret(), 409, "still_secret"),
        (errors.NoSuchDeal(), 503, "no_such_deal"),
        (errors.NoSuchDay(DAY), 404, "no_such_day"),
        (errors.NotYetOpen(DAY), 409, "not_yet_open"),
        (errors.DayNotReady(DAY), 503, "day_not_ready"),
        (errors.RunOver("x"), 409, "run_over"),
        (errors.TooLate(DAY), 409, "too_late"),
        (errors.RunFirst(), 409, "run_first"),
        (errors.IdempotencyKeyReused(), 422, "idempotency_key_reused"),
        (errors.CorruptSession("x", 1, "its checksum does not match"), 409, "corrupt_session"),
    ]


async def test_every_error_has_a_status_of_its_own_kind_and_a_code_that_never_changes(world: World) -> None:
    for error, status, code in await examples(world):
        problem = problem_of(error)
        assert (problem.status, problem.code) == (status, code)
        assert problem.type == f"urn:british-constitution:problem:{code}"
        assert problem.detail == str(error)
        assert problem.detail[0].isupper() or problem.code in {"bad_request", "illegal_move"}


async def test_no_error_is_forgotten(world: World) -> None:
    assert {type(error) for error, _, _ in await examples(world)} == set(family())


async def test_no_two_errors_share_a_code_but_those_of_a_bad_request(world: World) -> None:
    codes = [code for error, _, code in await examples(world) if not isinstance(error, errors.BadRequest)]

    assert len(codes) == len(set(codes))
    assert "bad_request" not in codes


def test_the_tree_in_the_docstring_has_every_error_and_its_code() -> None:
    drawn = inspect.getdoc(errors) or ""
    for error in family():
        (line,) = (line for line in drawn.splitlines() if f"─ {error.__name__} " in f"{line} ")
        assert (
            getattr(error, "code", None) or "nothing_to_undo, nothing_to_redo, nothing_to_restart, nothing_to_consent"
        ) in line


@pytest.mark.parametrize(("by_if_match", "status"), [(False, 409), (True, 412)])
async def test_a_stale_place_that_came_as_if_match_is_a_failed_precondition(
    by_if_match: bool, status: int, world: World
) -> None:
    session = (await world.dealt(await world.player())).seen

    assert problem_of(errors.Stale(0, [], session), by_if_match).status == status
    assert problem_of(errors.NotYourSeat(), by_if_match).status == 403
