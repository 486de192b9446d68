"""A close code says why, and its first digits whether to come back."""

import pytest

from service.protocol.close import Close


@pytest.mark.parametrize("code", [code for code in Close if 4000 <= code < 4100])
def test_after_a_code_of_40xx_a_client_comes_back(code: Close) -> None:
    assert code.come_back


@pytest.mark.parametrize("code", [code for code in Close if 4500 <= code < 4600])
def test_after_a_code_of_45xx_a_client_stays_away(code: Close) -> None:
    assert not code.come_back


def test_the_codes_never_change() -> None:
    assert {code.name: code.value for code in Close} == {
        "GOING_AWAY": 4000,
        "UNAVAILABLE": 4003,
        "NO_HELLO": 4008,
        "FAILED": 4011,
        "WRONG_VERSION": 4500,
        "UNAUTHORISED": 4501,
        "FORBIDDEN": 4503,
        "NO_SUCH_SESSION": 4504,
        "CORRUPT": 4510,
    }
