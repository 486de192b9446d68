"""`constitution legal`."""

import json
from typing import Any

import pytest

from tests.cli.commands import run, say
from tests.engine.test_golden import VECTORS, ours

RANKS = "A23456789TJ"
STUCK = {
    *(("modern", f"pysol:{number}") for number in (1, 2, 5, 9)),
    *(("cadogan", f"pysol:{number}") for number in (1, 2)),
    *(("cadogan-1914", f"pysol:{number}") for number in (8, 11)),
    *(("pysol", f"pysol:{number}") for number in (4, 8)),
}


def position_text(position: dict[str, Any]) -> str:
    """A position of the golden file in one line."""
    rows = "/".join(",".join(pile or "-" for pile in row) for row in position["rows"])
    foundations = "".join(RANKS[rank - 1] for rank in position["foundations"])
    return f"{rows} {foundations} {position['stock'] or '-'} {position['waste'] or '-'}"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['preset']}-{vector['deal']}")
def test_a_golden_position_has_its_board_and_its_legal_moves(
    vector: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    position, vacancy = vector["position"], vector["must_fill"]
    text = position_text(position)

    said = say(capsys, "legal", "--rules", vector["preset"], "--deal", f"position:{text}", "--json")
    board = json.loads(said.out)

    assert (said.status, said.err) == (0, "")
    assert board["position"] == text
    assert board["rows"] == position["rows"]
    assert board["foundations"] == position["foundations"]
    assert board["stock"] * 2 == len(position["stock"])
    assert board["waste"] == position["waste"]
    assert board["must_fill"] == (vacancy and "abcdefgh"[vacancy[1]] + str(vacancy[0] + 1))
    assert sorted(move["move"] for move in board["legal"]) == sorted(map(ours, vector["legal"]))
    assert board["status"] == ("stuck" if (vector["preset"], vector["deal"]) in STUCK else "playing")


def test_the_board_has_the_members_that_a_session_has() -> None:
    said = run("legal", "--rules", "cadogan", "--deal", "pysol:1", "--moves", "S Wb4", "--json")
    board = json.loads(said.out)

    assert (said.status, said.err) == (0, "")
    assert list(board) == [
        "rows",
        "stock",
        "foundations",
        "waste",
        "must_fill",
        "status",
        "points",
        "legal",
        "can_undo",
        "can_redo",
        "position",
    ]
    assert (board["stock"], board["waste"], board["rows"][3][1]) == (47, "", "7S6D")
    assert board["legal"][0] == {"move": "b1G", "kind": "promote", "reveals": False}
    assert board["points"] == {"total": 0, "promoted": 0, "tempo": 0, "assists": 0, "won": False}


def test_without_json_it_prints_the_position_and_then_the_status_and_the_moves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = say(capsys, "legal", "--deal", "pysol:1", "--moves", "b1G a2b1 a3a2 a4a3")

    assert said.status == 0
    assert said.out == (
        "9D,3C,2S,JS,7S,5D,4D,4D/4S,TC,8D,4H,6H,2C,2D,JD/2D,2H,JC,TD,8D,9C,4H,5D/6D,7S,7C,6D,2S,7H,TC,6H AAAA2AAA "
        "TH8S3D8H4C8HTD4C3CTSJS3S5C6CJCJH9C9S8C8C3H7H3S4S7D6S5C9H5STS5H9S3D9D6C7D7C3HJH5S6S8STH9H5HJD2C -\n"
        "playing c1G a2f1 e2e1 g2b1 b1g1 b1h1\n"
    )
