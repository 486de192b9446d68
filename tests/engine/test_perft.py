"""Lines counted to a depth of five. The file was made by this engine; a second one counts the first three again."""

from typing import Any

import pytest

from service.engine import PRESETS, perft
from service.engine.deal import start
from service.engine.notation import format_position, parse_deal
from tests.engine import second_opinion
from tests.engine.games import golden

COUNTS = [pytest.param(count, id=f"{count['preset']}-{count['deal'][:8]}") for count in golden("perft.json")]


@pytest.mark.parametrize("count", COUNTS)
def test_there_are_as_many_lines_as_there_were(count: dict[str, Any]) -> None:
    rules = PRESETS[count["preset"]]
    position = start(parse_deal(count["deal"]), rules)
    depths = range(1, len(count["perft"]) + 1)
    assert [perft(position, rules, depth) for depth in depths] == count["perft"]


@pytest.mark.parametrize("count", COUNTS)
def test_the_second_engine_counts_as_many_lines(count: dict[str, Any]) -> None:
    rules = PRESETS[count["preset"]]
    board = second_opinion.read(format_position(start(parse_deal(count["deal"]), rules)))
    assert [second_opinion.perft(board, rules, depth) for depth in (1, 2, 3)] == count["perft"][:3]
