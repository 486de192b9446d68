"""What an independent engine says of 48 positions and 48 won games."""

import re
from typing import Any

import pytest

from service.engine import PRESETS, Game, Status, legal_moves, perft
from service.engine.game import replay
from service.engine.log import unpack
from service.engine.moves import must_fill, status
from service.engine.notation import format_cards, format_place, parse_deal
from service.engine.piles import ROWS
from service.engine.position import Position
from service.engine.record import format_record, parse_record
from tests.engine.games import WINS, Win, entries_of, golden, packed, played

VECTORS = golden("rules.json")
FOUNDATIONS = "CCSSHHDD"


def ours(move: str) -> str:
    """The name of a move that the file writes as `r1.0>r0.1`, `r0.1>f4`, `waste>r3.2` or `deal`."""
    if move == "deal":
        return "S"
    move = re.sub(r"f\d", "G", move).replace("waste", "W").replace(">", "")
    return re.sub(r"r(\d)\.(\d)", lambda place: "abcdefgh"[int(place[2])] + str(int(place[1]) + 1), move)


def shown(position: Position) -> dict[str, Any]:
    """The position as the file writes it."""
    return {
        "rows": [[format_cards(position.pile(place)) for place in row] for row in ROWS],
        "foundations": [card >> 2 for card in position.foundations],
        "waste": format_cards(position.waste),
        "stock": format_cards(position.stock),
    }


def vectors() -> list[Any]:
    return [pytest.param(vector, id=f"{vector['preset']}-{vector['deal']}") for vector in VECTORS]


@pytest.mark.parametrize("vector", vectors())
def test_a_golden_position_has_its_piles_its_moves_its_vacancy_and_its_perft(vector: dict[str, Any]) -> None:
    rules = PRESETS[vector["preset"]]
    position = played(parse_deal(vector["deal"]), rules, tuple(map(ours, vector["moves"]))).last
    vacancy = must_fill(position, rules)

    assert shown(position) == vector["position"]
    assert {str(move) for move in legal_moves(position, rules)} == set(map(ours, vector["legal"]))
    assert (None if vacancy is None else format_place(vacancy)) == (
        vector["must_fill"] and "abcdefgh"[vector["must_fill"][1]] + str(vector["must_fill"][0] + 1)
    )
    assert [perft(position, rules, depth) for depth in (1, 2, 3)] == vector["perft"]


@pytest.mark.parametrize("win", WINS, ids=str)
def test_a_golden_win_replays_from_its_log_and_its_record_to_its_points_and_tempo(win: Win) -> None:
    begun = Game.begin(parse_deal(win.deal), win.rules)
    log = packed(entries_of(begun, " ".join(win.moves)))
    game = replay(begun, unpack(log))
    record = format_record(parse_deal(win.deal), win.rules, [entry for entry, _ in unpack(log)])

    assert (game.status, game.seq) == (Status.WON, len(win.moves))
    assert (game.points.total, game.points.tempo, game.points.promoted) == (win.points, win.tempo, 80)
    assert game.position == win.play.last
    assert status(win.play.positions[-2], win.rules) is Status.PLAYING
    assert f'[Status "won"]\n[Points "{win.points}"]\n' in record
    assert [str(entry.move) for entry in parse_record(record).entries] == list(win.moves)
