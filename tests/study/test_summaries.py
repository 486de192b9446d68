"""Sums of studies, and their plot."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from service.solver.certify import Difficulty
from service.study import summaries, tables
from service.study.intervals import clopper_pearson, wilson
from service.study.plots import Curve, plot
from service.study.trials import Trial

WON = [Trial(deal, "cadogan", "won", deal * 100, deal, None, ("a1G",) * (deal + 200)) for deal in range(1, 101)]
GRADED = Trial(101, "cadogan", "won", 20_000, 400, Difficulty.STEADY, ("a1G",) * 250)
LOST = Trial(167, "cadogan", "unwinnable", 1)
OPEN = Trial(150, "cadogan", "gave_up", 100_000)
SVG = "{http://www.w3.org/2000/svg}"


def test_what_is_not_known_is_reckoned_both_ways() -> None:
    summed = summaries.summed([*WON, LOST, OPEN])

    assert (summed["deals"], summed["won"], summed["unwinnable"], summed["gave_up"]) == (102, 100, 1, 1)
    assert summed["wilson"] == (wilson(100, 102).low, wilson(101, 102).high)
    assert summed["clopper_pearson"] == (clopper_pearson(100, 102).low, clopper_pearson(101, 102).high)
    assert (summed["unwinnable_deals"], summed["gave_up_deals"]) == ([167], [150])


def test_quantiles_are_values_that_so_many_do_not_exceed() -> None:
    summed = summaries.summed([*WON, GRADED])

    assert summed["moves"] == {"mean": 250.5, "p50": 250, "p95": 295, "p99": 299, "most": 300}
    assert summed["tempo"] == {"mean": 50.5, "p50": 50, "p95": 95, "p99": 99, "most": 100}
    assert summed["par"] == {"mean": 400.0, "p50": 400, "p95": 400, "p99": 400, "most": 400}
    assert summed["nodes"]["most"] == 20_000
    assert summed["grades"] == {"steady": 1}


def test_all_tables_of_a_folder_are_summed_up(tmp_path: Path) -> None:
    tables.write(tmp_path / "cadogan.csv", [*WON, LOST, OPEN, GRADED])
    tables.write(tmp_path / "modern.csv", [Trial(1, "modern", "won", 144, 863, None, ("a1G",))])
    text = summaries.write(tmp_path)

    assert list(json.loads((tmp_path / "summary.json").read_text())) == ["modern", "cadogan"]
    for line in (
        "| modern | 1 | 1 | 0 | 0 | 20.655 to 100.000 % | 2.500 to 100.000 % |",
        "| cadogan | 1.94 % | 4.85 % | 9.71 % | 19.42 % | 48.54 % | 97.09 % | 98.06 % | 98.06 % |",
        "| modern | moves | 1.0 | 1 | 1 | 1 | 1 |",
        "| cadogan | par | 400.0 | 400 | 400 | 400 | 400 |",
        "| cadogan | 0 | 1 | 0 | 0 |",
        "cadogan, unwinnable: 167",
        "cadogan, gave_up: 150",
    ):
        assert f"\n{line}\n" in text


def test_the_plot_has_a_curve_for_each_preset_that_ends_at_its_share_of_wins(tmp_path: Path) -> None:
    tree = ET.fromstring(plot({"modern": Curve([150, 200], 2), "pysol": Curve([101, 999_999], 4)}))
    curves = [path.attrib["d"] for path in tree.iter(f"{SVG}path") if path.attrib.get("fill") == "none"]
    heights = [[float(point.split()[1]) for point in curve.removeprefix("M").split("L")] for curve in curves]

    assert [text.text for text in tree.iter(f"{SVG}text")][-2:] == ["modern", "pysol"]
    assert [(one[0], one[-1]) for one in heights] == [(390.0, 20.0), (390.0, 205.0)]
    assert all(one == sorted(one, reverse=True) for one in heights)


@pytest.mark.parametrize("rules", ["modern", "pysol"])
def test_a_preset_without_a_table_is_left_out(rules: str, tmp_path: Path) -> None:
    tables.write(tmp_path / f"{rules}.csv", [Trial(1, rules, "gave_up", 1)])
    summaries.write(tmp_path)
    assert list(json.loads((tmp_path / "summary.json").read_text())) == [rules]
