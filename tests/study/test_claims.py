"""What WINNABILITY.md claims of single deals, tried again."""

import re
from pathlib import Path

import pytest

import service.solver
from service.engine import PRESETS, Numbered
from service.engine.deal import start
from service.engine.moves import legal_moves
from service.study.trials import tried

PAGE = Path(service.solver.__file__).with_name("WINNABILITY.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| `([\w-]+)` \| ([\d ]+) \|$", PAGE, re.MULTILINE))
"""Of each preset the deals that are not known."""


def unwinnable() -> list[int]:
    [listed] = re.findall(r"^    ([\d ]+)$", PAGE, re.MULTILINE)
    return list(map(int, listed.split()))


def test_there_are_as_many_unwinnable_deals_as_the_table_says_and_all_are_stuck() -> None:
    rules = PRESETS["modern"]

    assert f"| `modern` | 20,000 | 19,984 | {len(unwinnable())} | 0 |" in PAGE
    assert not any(legal_moves(start(Numbered(deal), rules), rules) for deal in unwinnable())


@pytest.mark.parametrize("deal", unwinnable())
def test_an_unwinnable_deal_is_proved_twice(deal: int) -> None:
    assert tried("modern", 20_000, is_graded=False, number=deal).result == "unwinnable"


@pytest.mark.parametrize(("rules", "deals"), ROWS.items())
def test_a_deal_that_is_not_known_is_no_easy_one(rules: str, deals: str) -> None:
    numbers = list(map(int, deals.split()))

    assert re.search(rf"^\| `{rules}` \| 2,000 \| 1,\d+ \| 0 \| {len(numbers)} \|", PAGE, re.MULTILINE)
    assert {tried(rules, 2_000, is_graded=False, number=deal).result for deal in numbers} == {"gave_up"}


@pytest.mark.parametrize(("rules", "deal"), [("cadogan", 167), ("cadogan-1914", 167), ("pysol", 699), ("modern", 2)])
def test_a_deal_that_is_said_to_be_won_is_won(rules: str, deal: int) -> None:
    assert tried(rules, 5_000, is_graded=False, number=deal).result == "won"
