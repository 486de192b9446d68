"""What runs come to, and what a day comes to, against naive models."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from service.ports.boards import Board, Result, Scope, Standing
from service.ports.daily import Day, Entrant, Field, RunKind
from service.usecases.boards import rank_key, speed_key
from service.usecases.results import BUCKETS, WHOLE, best_of, percentiles, standings_of, summary_of

DAY = Day("2026-11-30", "modern")
HOME = "2026-11-30/modern"

Rows = st.lists(st.builds(Standing, st.sampled_from("abcdefgh"), st.integers(-3, 6), st.none()), max_size=20)


def result(won: bool = True, points: int = 9_000, assists: int = 0, tenths: int = 600) -> Result:
    return Result("run", won, points, assists, promoted=80, tempo=0, tenths=tenths)


def entrant(kind: RunKind, field: Field = Field.PEOPLE, is_timed: bool = False) -> Entrant:
    return Entrant("run", "ann", kind, field, is_timed)


# The rows that a run asks for.


def test_a_first_run_is_on_the_first_board_and_an_open_one_on_the_open_board() -> None:
    run = result()
    row = Standing("ann", rank_key(run), run)

    assert standings_of(DAY, entrant(RunKind.FIRST), run) == {Board(HOME, Scope.FIRST, Field.PEOPLE): row}
    assert standings_of(DAY, entrant(RunKind.OPEN), run) == {Board(HOME, Scope.OPEN, Field.PEOPLE): row}
    bots = entrant(RunKind.FIRST, Field.BOTS)
    assert standings_of(DAY, bots, run) == {Board(HOME, Scope.FIRST, Field.BOTS): row}


def test_a_late_run_is_on_no_board_timed_or_not() -> None:
    assert standings_of(DAY, entrant(RunKind.LATE), result()) == {}
    assert standings_of(DAY, entrant(RunKind.LATE, is_timed=True), result()) == {}


def test_a_win_without_assists_is_timed_where_its_player_wants_that() -> None:
    timed = entrant(RunKind.FIRST, Field.NEWCOMERS, is_timed=True)
    speed = Board(HOME, Scope.SPEED, Field.NEWCOMERS)

    assert standings_of(DAY, timed, result())[speed] == Standing("ann", speed_key(result()), result())
    for run in (result(won=False), result(assists=1)):
        assert speed not in standings_of(DAY, timed, run)
    assert speed not in standings_of(DAY, timed._replace(is_timed=False), result())


Results = st.builds(result, st.booleans(), st.integers(0, 12_840), st.integers(0, 100), st.integers(0, 10_000))


@given(Results, Results)
def test_a_win_ranks_before_points_and_points_before_fewer_assists_and_time_not_at_all(
    one: Result, two: Result
) -> None:
    def model(run: Result) -> tuple[bool, int, int]:
        return run.won, run.points, -run.assists

    assert (rank_key(one) < rank_key(two)) == (model(one) < model(two))
    assert (rank_key(one) == rank_key(two)) == (model(one) == model(two))
    assert (speed_key(one) < speed_key(two)) == (one.tenths > two.tenths)


# The rows of a day.


@given(Rows)
def test_each_player_has_the_best_of_their_rows_best_first(rows: list[Standing]) -> None:
    best = best_of(rows)

    assert {row.player: row.key for row in best} == {
        player: max(row.key for row in rows if row.player == player) for player in {row.player for row in rows}
    }
    assert [row.key for row in best] == sorted((row.key for row in best), reverse=True)
    assert len(best) == len({row.player for row in best})


@given(Rows, st.permutations(range(20)))
def test_the_order_in_which_rows_came_does_not_matter(rows: list[Standing], order: list[int]) -> None:
    shuffled = [rows[at] for at in order if at < len(rows)]

    assert best_of(shuffled) == best_of(rows)


@given(Rows)
def test_a_percentile_is_the_share_of_the_others_that_are_behind_equals_by_half(rows: list[Standing]) -> None:
    ranked = best_of(rows)

    for at, (row, share) in enumerate(zip(ranked, percentiles(ranked), strict=True)):
        others = [other.key for place, other in enumerate(ranked) if place != at]
        behind = sum((Fraction(1) if key < row.key else Fraction(key == row.key, 2)) for key in others)
        assert share == int(WHOLE * behind / len(others)) if others else share == 0


def test_the_first_of_three_is_ahead_of_all_and_the_last_of_none() -> None:
    rows = [Standing("a", 9), Standing("b", 5), Standing("c", 1)]

    assert percentiles(rows) == [WHOLE, WHOLE // 2, 0]
    assert percentiles([row._replace(key=5) for row in rows]) == [WHOLE // 2] * 3
    assert percentiles([]) == []


def test_a_day_is_summed_up_from_the_first_runs_of_all_its_fields() -> None:
    def row(points: int, won: bool = False) -> Standing:
        return Standing(f"{points}", 0, result(won, points))

    summary = summary_of(
        {
            Board(HOME, Scope.FIRST, Field.PEOPLE): [row(999), row(1_000), row(9_999, won=True)],
            Board(HOME, Scope.FIRST, Field.NEWCOMERS): [row(0)],
            Board(HOME, Scope.FIRST, Field.BOTS): [row(12_999, won=True), row(13_000, won=True), row(99_000, won=True)],
            Board(HOME, Scope.OPEN, Field.PEOPLE): [row(5_000)],
            Board(HOME, Scope.SPEED, Field.PEOPLE): [row(9_999, won=True)],
        }
    )

    assert (summary.players, summary.wins) == (7, 4)
    assert summary.distribution == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2]
    assert len(summary.distribution) == BUCKETS


def test_a_day_that_nobody_played_comes_to_nothing() -> None:
    assert summary_of({}).distribution == [0] * BUCKETS
