"""The boards on the web client's rules pages are what the engine makes of their deals and moves."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from service.engine import PRESETS, Position, Rules, Status, apply, legal_moves, status
from service.engine.cards import rank_of
from service.engine.deal import start
from service.engine.moves import must_fill
from service.engine.notation import format_cards, format_place, parse_deal, parse_move
from service.engine.piles import COLUMNS
from service.engine.view import view_of

EXAMPLES: Final = json.loads(
    (Path(__file__).parents[2] / "clients/web/src/screens/rules/examples.json").read_text(encoding="utf-8")
)


def reached(example: dict[str, Any]) -> tuple[Position, Rules]:
    rules = PRESETS[example["rules"]]
    position = start(parse_deal(example["deal"]), rules)
    for move in example["moves"]:
        position = apply(position, parse_move(move), rules)
    return position, rules


def board(position: Position, rules: Rules) -> dict[str, Any]:
    """What the page draws of a position."""
    view, vacancy = view_of(position), must_fill(position, rules)
    piles = [format_cards(pile) for pile in view.piles]
    return {
        "rows": [piles[first : first + COLUMNS] for first in range(0, len(piles), COLUMNS)],
        "foundations": [rank_of(card) for card in view.foundations],
        "stock": view.stock,
        "waste": format_cards(view.waste),
        "must_fill": None if vacancy is None else format_place(vacancy),
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_board_is_true(name: str) -> None:
    assert board(*reached(EXAMPLES[name])) == EXAMPLES[name]["view"]


@pytest.mark.parametrize("name", [name for name, example in EXAMPLES.items() if example["next"]])
def test_the_move_that_is_shown_is_legal(name: str) -> None:
    assert parse_move(EXAMPLES[name]["next"]) in legal_moves(*reached(EXAMPLES[name]))


def test_the_endings_are_what_the_page_says() -> None:
    position, rules = reached(EXAMPLES["stuck"])
    assert status(position, rules) is Status.STUCK
    finish, rules = reached(EXAMPLES["finish"])
    view = view_of(finish)
    assert status(finish, rules) is Status.PLAYING
    assert not any(view.piles[COLUMNS:])
    assert not view.stock
    assert not view.waste
