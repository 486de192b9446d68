"""`constitution hint`: the steps of a hint, as the service gives them."""

import json

import pytest

from service.engine import PRESETS, Numbered
from service.engine.deal import start
from service.engine.notation import format_card, format_place, parse_move
from tests.cli.commands import say
from tests.engine.games import TO_AND_FRO, WINS, Win

LOST = f"position:{TO_AND_FRO}"


def test_each_step_tells_more(capsys: pytest.CaptureFixture[str]) -> None:
    hints = [json.loads(say(capsys, "hint", "--deal", "1", "--step", step, "--json").out) for step in "123"]
    move = parse_move(hints[2]["move"])
    source = start(Numbered(1), PRESETS["modern"]).pile(move.source)
    told = {"winnable": "yes", "place": format_place(move.source)}

    assert hints[0] == {"level": 1, **told}
    assert hints[1] == {"level": 2, **told, "card": format_card(source[-1])}
    assert hints[2] == {"level": 3, **told, "card": format_card(source[-1]), "move": str(move)}
    assert say(capsys, "hint", "--deal", "1").out == f"yes {hints[2]['place']} {hints[2]['card']} {move}\n"


@pytest.mark.parametrize("win", {win.preset: win for win in WINS}.values(), ids=str)
def test_the_hint_is_a_move_on_the_way_to_a_win(win: Win, capsys: pytest.CaptureFixture[str]) -> None:
    before = win.moves[: len(win.moves) // 2]
    asked = ["--rules", win.preset, "--deal", win.deal]
    hint = json.loads(say(capsys, "hint", *asked, "--moves", " ".join(before), "--json").out)
    after = " ".join([*before, hint["move"]])

    assert hint["winnable"] == "yes"
    assert json.loads(say(capsys, "hint", *asked, "--moves", after, "--step", "1", "--json").out)["winnable"] == "yes"


@pytest.mark.parametrize(
    ("arguments", "winnable"),
    [(["--deal", LOST], "no"), (["--deal", "1", "--budget", "3"], "unknown")],
)
def test_without_a_win_there_is_no_move(
    arguments: list[str], winnable: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert say(capsys, "hint", *arguments) == (0, f"{winnable}\n", "")
    said = say(capsys, "hint", *arguments, "--step", "2", "--json")
    assert json.loads(said.out) == {"level": 2, "winnable": winnable, "place": None}


@pytest.mark.parametrize("step", ["0", "4", "all"])
def test_there_are_three_steps(step: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "hint", "--deal", "1", "--step", step)

    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("constitution hint: argument --step: invalid ")
    assert said.err.count("\n") == 1
