"""`constitution perft` and `constitution deal`."""

import json
import signal
from typing import Any

import pytest

from tests.cli.commands import PATIENCE, run, say, started
from tests.cli.test_legal import position_text
from tests.engine.games import golden
from tests.engine.test_golden import VECTORS

PYSOL_1 = (
    "9D 2H 2S JS 7S 5D 4D 4D 3C TC 8D 4H 6H 2C 2D JD 4S 2H JC TD 8D 9C 4H 5D 2D 7S 7C 6D 2S 7H TC 6H 6D TH 8S 3D 8H 4C "
    "8H TD 4C 3C TS JS 3S 5C 6C JC JH 9C 9S 8C 8C 3H 7H 3S 4S 7D 6S 5C 9H 5S TS 5H 9S 3D 9D 6C 7D 7C 3H JH 5S 6S 8S TH "
    "9H 5H JD 2C"
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['preset']}-{vector['deal']}")
def test_a_golden_position_has_as_many_lines_as_it_should(
    vector: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    deal = f"position:{position_text(vector['position'])}"
    said = say(capsys, "perft", "--rules", vector["preset"], "--deal", deal, "--depth", "3")

    assert said.out == "".join(f"{depth} {count}\n" for depth, count in enumerate(vector["perft"], start=1))
    assert (said.status, said.err) == (0, "")


def test_lines_are_counted_from_a_deal_and_after_moves() -> None:
    count = golden("perft.json")[0]
    assert (count["preset"], count["deal"]) == ("modern", "pysol:1")

    said = run("perft", "--rules", "modern", "--deal", "pysol:1", "--depth", "4")
    assert said == (0, "1 5\n2 40\n3 320\n4 2112\n", "")
    assert count["perft"][:4] == [5, 40, 320, 2112]
    assert run("perft", "--deal", "pysol:1", "--moves", "b1G", "--depth", "1") == (0, "1 8\n", "")


def test_counting_can_be_interrupted() -> None:
    with started("perft", "--deal", "1", "--depth", "20") as process:
        assert process.stdout
        assert process.stdout.readline() == "1 8\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)

    assert (process.returncode, err) == (130, "")


def test_a_deal_is_its_80_cards_in_dealing_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert say(capsys, "deal", "pysol:1") == (0, f"{PYSOL_1}\n", "")

    said = run("deal", "pysol:1", "--json")
    assert (said.status, said.err) == (0, "")
    assert json.loads(said.out) == {"deal": "pysol:1", "cards": PYSOL_1.split()}


@pytest.mark.parametrize(
    ("deal", "first"),
    [
        ("0", "9D 9S JS 2C"),
        ("18446744073709551615", "3H 7S 2S 5H"),
        ("pysol:100000000000000000000", "2C 4C 7C 6S"),
        ("pysol:ms8589934591", "4D 8H 2H 8C"),
        ("seed:" + "f" * 64, "7D TH 5C 8C"),
    ],
)
def test_every_way_to_name_a_deal_has_its_cards(deal: str, first: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say(capsys, "deal", deal, "--json")
    dealt = json.loads(said.out)

    assert dealt["deal"] == deal
    assert " ".join(dealt["cards"][:4]) == first
    assert sorted(dealt["cards"]) == sorted(PYSOL_1.split())
