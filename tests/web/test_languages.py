"""Which language a reader prefers."""

import pytest

from service.web.languages import preferred_language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("de, fr;q=0.8", "en"),
        ("es", "es"),
        ("es-AR,es;q=0.9,en;q=0.8", "es"),
        ("ru-RU", "ru"),
        ("RU", "ru"),
        ("de-CH, ru;q=0.3, es;q=0.7", "es"),
        ("en;q=0.1, ru ; q=0.2", "ru"),
        ("es, ru", "es"),
        ("es;q=0", "en"),
        ("es;q=2", "en"),
        ("es;q=x, ru;q=0.001", "ru"),
        ("esp, español, zh-ru", "en"),
        (",,;q=1,\x00", "en"),
        ("es;" * 10_000, "en"),
    ],
)
def test_a_reader_gets_the_language_that_they_like_best(header: str | None, language: str) -> None:
    assert preferred_language(header) == language
