import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.score import NO_ASSISTS, Assists, Points


@pytest.mark.parametrize(
    ("points", "total"),
    [
        (Points(promoted=0, tempo=0, assists=0, won=False), 0),
        (Points(promoted=1, tempo=48, assists=0, won=False), 148),
        (Points(promoted=80, tempo=1058, assists=0, won=True), 10058),
        (Points(promoted=80, tempo=1058, assists=3, won=True), 9908),
        (Points(promoted=1, tempo=0, assists=2, won=False), 0),
        (Points(promoted=1, tempo=0, assists=3, won=False), 0),
    ],
)
def test_a_card_is_worth_100_and_the_stock_a_win_1000_and_an_assist_50_less(points: Points, total: int) -> None:
    assert points.total == total


@given(st.builds(Points, st.integers(0, 80), st.integers(0, 3840), st.integers(0, 10**6), st.booleans()))
def test_points_are_never_negative(points: Points) -> None:
    assert points.total >= 0


def test_a_promotion_adds_a_card_and_the_stock_just_before() -> None:
    assert Points(3, 100, 2, won=False).after_promotion(40, won=True) == Points(4, 140, 2, won=True)


def test_each_question_is_an_assist() -> None:
    assert NO_ASSISTS.after_question().after_question().count == 2


def test_each_revealed_card_that_is_taken_back_is_an_assist() -> None:
    assert NO_ASSISTS.after_deal(3).after_undo(dealt=1, before=3).count == 2


def test_a_card_that_is_taken_back_again_counts_once() -> None:
    once = NO_ASSISTS.after_deal(3).after_undo(dealt=1, before=3)
    assert once.after_deal(3).after_undo(dealt=2, before=3) == once
    assert once.after_undo(dealt=0, before=1).count == 3


def test_taking_back_no_card_is_free() -> None:
    assert NO_ASSISTS.after_deal(3).after_undo(dealt=3, before=3).count == 0


def test_a_card_seen_before_is_not_new() -> None:
    assert Assists(furthest=3).after_deal(2).furthest == 3
    assert Assists(furthest=3).after_deal(4).furthest == 4
