"""Problems from texts to texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.notation import parse_move, parse_position, parse_rules
from service.ports import Problem, Report, Task
from service.solver.certify import Difficulty, tempo_of
from service.solver.verify import wins
from service.solving import job
from service.solving.job import run
from service.solving.wire import decode_problem, decode_report, encode
from tests.solving.problems import QUICK, hard, problem

LOST = 167  # a deal of modern in which nobody has a move

words = st.text(max_size=20)
lines = st.lists(words, max_size=5).map(tuple)


@pytest.mark.parametrize("rules", ["modern", "cadogan", "cadogan-1914", "pysol"])
def test_a_win_is_told_with_a_line_that_the_engine_plays_to_it(rules: str) -> None:
    asked = problem(1, rules)
    report = run(asked)

    assert report.result == "won"
    assert wins(parse_position(asked.position), parse_rules(rules), map(parse_move, report.line))
    assert (report.difficulty, report.best, report.par) == (None, (), None)


def test_a_deal_is_certified_with_its_best_line_and_the_tempo_of_that() -> None:
    asked = problem(1, task=Task.CERTIFY)
    report = run(asked)
    position, rules = parse_position(asked.position), parse_rules(asked.rules)
    best = [parse_move(text) for text in report.best]

    assert report.result == "won"
    assert report.difficulty in set(Difficulty)
    assert wins(position, rules, best)
    assert report.par == tempo_of(position, rules, best)


@pytest.mark.parametrize("task", Task)
def test_a_loss_that_is_proved_and_one_that_is_not_are_kept_apart(task: Task) -> None:
    assert run(problem(LOST, task=task))[0] == "unwinnable"
    assert run(hard(50)._replace(task=task)) == Report("gave_up", 50)


@pytest.mark.parametrize("wrong", [Report("won", 7, ("S",)), Report("won", 7, best=("b1G",))])
def test_a_line_that_does_not_win_is_never_told(wrong: Report, caplog: pytest.LogCaptureFixture) -> None:
    told = job._checked(wrong, QUICK, parse_position(QUICK.position), parse_rules(QUICK.rules))

    assert told == Report("gave_up", 7)
    assert "the solver was wrong about" in caplog.text


@given(st.builds(Problem, st.sampled_from(Task), words, words, st.integers(0, 2**53), words))
def test_a_problem_is_the_same_on_the_other_side_of_a_pipe(asked: Problem) -> None:
    assert b"\n" not in encode(asked)
    assert decode_problem(encode(asked)) == asked


@given(
    st.builds(Report, words, st.integers(0, 2**53), lines, st.none() | words, lines, st.none() | st.integers(0, 5000))
)
def test_a_report_is_the_same_on_the_other_side_of_a_pipe(report: Report) -> None:
    assert b"\n" not in encode(report)
    assert decode_report(encode(report)) == report
