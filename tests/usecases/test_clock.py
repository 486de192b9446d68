"""Times in the log: tenths of a second since the session began, that never go back and end at the last that fits."""

import pytest

from tests.usecases.world import NOON, World


async def times(world: World, *clock: int) -> list[int]:
    """The times of turns that were made when the clock showed so many milliseconds since the session began."""
    board = await world.dealt(await world.player(), rules="cadogan")
    for since in clock:
        world.clock.time = NOON + since
        await board.play("S")
    return [event.time for event in (await board.events(after=0)).events or ()]


@pytest.mark.parametrize(
    ("clock", "logged"),
    [
        ((0, 99, 100, 1_999, 2_000), [0, 0, 1, 19, 20]),
        ((5_000, 4_000, -3_600_000, 5_100), [50, 50, 50, 51]),
        ((-1,), [0]),
        ((26_843_545_499, 26_843_545_500, 10**12, 0), [268_435_454, 268_435_455, 268_435_455, 268_435_455]),
    ],
)
async def test_a_time_counts_tenths_never_falls_and_stops_at_the_last_that_fits(
    clock: tuple[int, ...], logged: list[int], world: World
) -> None:
    assert await times(world, *clock) == logged


async def test_a_log_whose_clock_went_back_is_sound(world: World) -> None:
    board = await world.dealt(await world.player())
    for since, move in ((5_000, "b1G"), (-5_000, "a2b1")):
        world.clock.time = NOON + since
        await board.play(move)

    assert await world.process().sessions.view(board.id, board.player.id) == board.seen


async def test_a_list_tells_when_a_session_was_made_and_last_played(world: World) -> None:
    player = await world.player()
    board = await world.dealt(player)
    world.clock.time = NOON + 61_001
    await board.play("b1G")

    (summary,) = (await world.sessions.page(player, None, 10)).sessions
    assert (summary.created_at, summary.updated_at) == ("2026-11-01T12:00:00.000Z", "2026-11-01T12:01:01.001Z")
    assert board.seen.created_at == "2026-11-01T12:00:00.000Z"
