"""`constitution solve`."""

import json

import pytest

from service.engine import PRESETS, Numbered
from service.engine.deal import start
from service.engine.notation import parse_deal, parse_move
from service.solver.verify import wins
from tests.cli.commands import run, say
from tests.engine.games import TO_AND_FRO, WINS, Win, played

LOST = f"position:{TO_AND_FRO}"


def test_a_deal_is_solved_as_a_process() -> None:
    said = run("solve", "--rules", "modern", "--deal", "1", "--json")
    solved = json.loads(said.out)

    assert (said.status, said.err) == (0, "")
    assert list(solved) == ["result", "nodes", "line"]
    assert solved["result"] == "won"
    assert solved["nodes"] > 0
    modern = PRESETS["modern"]
    assert wins(start(Numbered(1), modern), modern, map(parse_move, solved["line"]))


@pytest.mark.parametrize("win", {win.preset: win for win in WINS}.values(), ids=str)
def test_the_line_wins_from_where_the_moves_lead(win: Win, capsys: pytest.CaptureFixture[str]) -> None:
    before = win.moves[: len(win.moves) // 2]
    said = say(capsys, "solve", "--rules", win.preset, "--deal", win.deal, "--moves", " ".join(before), "--json")
    solved = json.loads(said.out)

    assert solved["result"] == "won"
    there = played(parse_deal(win.deal), win.rules, before).last
    assert wins(there, win.rules, map(parse_move, solved["line"]))


def test_a_lost_position_is_said_to_be_lost(capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "solve", "--deal", LOST, "--json")
    assert json.loads(said.out) == {"result": "unwinnable", "nodes": 2, "line": []}
    assert say(capsys, "solve", "--deal", LOST) == (0, "unwinnable 2\n", "")


def test_a_small_budget_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "solve", "--deal", "1", "--budget", "3", "--json")
    assert json.loads(said.out) == {"result": "gave_up", "nodes": 3, "line": []}
    assert say(capsys, "solve", "--deal", "1", "--budget", "3") == (0, "gave_up 3\n", "")


def test_a_win_is_told_with_its_nodes_and_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    solved = json.loads(say(capsys, "solve", "--deal", "1", "--json").out)
    assert say(capsys, "solve", "--deal", "1").out == f"won {solved['nodes']}\n{' '.join(solved['line'])}\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--deal", "nope"], "constitution: not a deal: at 0, 'nope', "),
        (["--deal", "1", "--rules", "whist"], "constitution: not a rule set: at 0, 'whist', "),
        (["--deal", "1", "--moves", "a1b1"], "constitution: a1b1 is not legal: wrong_rank"),
        *(
            (["--deal", "1", "--budget", budget], "constitution solve: argument --budget: there should be a number of")
            for budget in ("0", "-1", "many", "1e3", "9" * 5000, "٣")
        ),
    ],
)
def test_bad_input_is_told_in_one_line(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "solve", *arguments)

    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(line)
    assert said.err.count("\n") == 1
