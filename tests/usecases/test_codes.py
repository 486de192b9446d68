"""Codes that people read to each other."""

import pytest

from service.usecases.codes import code_of, read_code

CODE = "01AZ-7K2M"


def test_a_code_is_made_of_chance_in_groups() -> None:
    assert code_of(bytes(range(8)), 4) == "0123-4567"
    assert code_of(bytes([29, 30, 31, 32, 255]), 4) == "XYZ0-Z"


@pytest.mark.parametrize(
    "typed",
    [CODE, "01az7k2m", "o1AZ 7k2m", "OIaz-7K2M", "0lAZ-7K2M", " 0-1-a-z-7-k-2-m. ", "0 1 A Z\n7 K 2 M", "Ö01AZ7K2M"],
)
def test_it_is_known_however_it_was_heard_and_typed(typed: str) -> None:
    assert read_code(typed, 4) == CODE


def test_what_was_left_out_or_added_is_another_code() -> None:
    assert read_code("01AZ7K2", 4) != CODE
    assert read_code("01AZ7K2M0", 4) != CODE
    assert read_code("", 4) == ""
