"""Names: those that are given in three languages, and what a name of one's own has to be."""

# ruff: noqa: RUF001 - letters that pass for others are what it is about

import unicodedata
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.protocol.people import LanguageName
from service.usecases.names import LENGTHS, MARKS, NameFault, given_name, tidied, why_not

LANGUAGES: tuple[LanguageName, ...] = get_args(LanguageName)
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u2060\u2800\u3164\ufe0f\ufeff\uffa0\U000e0041\U000e0101"
)
STRANGE = BIDI + INVISIBLE + "\ue000\U0010ffff\ud800\u0378\x00\x1b\x7f"
"""Controls, what cannot be seen, private, unassigned and impossible characters."""
LETTERS = "aAzéñßıбдяЯіІαΩאاهक漢かカ한ㄅแ"
TEXTS = st.text() | st.text(LETTERS + "\u0301\u0308\u0e49 \t\u3000-'._’0139٣" + STRANGE, max_size=30)


def accepted(text: str) -> bool:
    return why_not(tidied(text)) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_that_is_given_could_be_taken_and_there_are_a_thousand(language: LanguageName) -> None:
    names = {given_name(language, bytes(chance)) for chance in product(range(32), repeat=2)}

    assert len(names) == 1024
    for name in names:
        assert tidied(name) == name
        assert why_not(name) is None


def test_a_name_is_given_by_chance_in_the_order_of_the_language() -> None:
    assert given_name("en", bytes([24, 12])) == given_name("en", bytes([24 + 32, 12 + 64])) == "Quiet Heron"
    assert given_name("es", bytes([30, 21])) == "Mirlo Valiente"
    assert given_name("ru", bytes([25, 11])) == "Тихий Журавль"


def test_words_agree_in_every_pair() -> None:
    spanish = {given_name("es", bytes([number, 0])).split()[1] for number in range(32)}
    russian = {given_name("ru", bytes([number, 0])).split()[0] for number in range(32)}

    assert not [manner for manner in spanish if manner.endswith(("o", "a"))], "the same for both genders"
    assert {manner[-2:] for manner in russian} == {"ый", "ий"}, "masculine, as all the birds are"
    birds = {given_name("ru", bytes([0, number])).split()[1] for number in range(32)}
    assert not [bird for bird in birds if bird.endswith(("а", "я", "о", "е"))]


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\t\nL.", "Ada L."),
        ("Ａｄａ\u3000Ｌ．", "Ada L."),
        ("ﬁn", "fin"),
        ("e\u0301va", "éva"),
        ("O’Neill", "O'Neill"),
        ("Anne\u2010Marie", "Anne-Marie"),
        ("𝔄𝔡𝔞", "Ada"),
        ("", ""),
    ],
)
def test_a_name_is_tidied(typed: str, name: str) -> None:
    assert tidied(typed) == name


@pytest.mark.parametrize(
    "name",
    [
        "Bo", "Ada L.", "o_O", "Jean-Luc O'Neill", "x" * 24, "7 of 9", "Élise", "Ådne", "Iñaki", "Zoë", "Łukasz",
        "Наталья", "Ґанна", "Пётр 1", "Ελένη", "דוד", "محمد", "नीलिमा", "สมชาย", "王小明", "さくら", "サクラ", "김민준",
        "漢字かな", "Tokyo 東京", "ㄅㄆㄇ",
        "Badminton", "Modest", "Systema", "Madam", "Моделист", "Официант", "Supporter",
    ],
)  # fmt: skip
def test_names_of_many_kinds_are_taken(name: str) -> None:
    assert tidied(name) == name
    assert why_not(name) is None


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("", NameFault.TOO_SHORT),
        ("   ", NameFault.TOO_SHORT),
        ("x", NameFault.TOO_SHORT),
        ("e\u0301", NameFault.TOO_SHORT),
        ("x" * 25, NameFault.TOO_LONG),
        ("\ufdfa\ufdfa", NameFault.TOO_LONG),
        ("42", NameFault.NO_LETTER),
        ("-'._-", NameFault.NO_LETTER),
        ("Ada!", NameFault.BAD_CHARACTER),
        ("a@b", NameFault.BAD_CHARACTER),
        ("<b>Ada", NameFault.BAD_CHARACTER),
        ("Ada 🂡", NameFault.BAD_CHARACTER),
        ("Ada\u20dd", NameFault.BAD_CHARACTER),
        ("\u0301Ada", NameFault.BAD_CHARACTER),
        ("Ada \u0301", NameFault.BAD_CHARACTER),
        ("5\u0301da", NameFault.BAD_CHARACTER),
        ("Ad" + "\u0316" * (MARKS + 1) + "a", NameFault.BAD_CHARACTER),
        ("Aдa", NameFault.MIXED_SCRIPTS),
        ("Αda", NameFault.MIXED_SCRIPTS),
        ("Ada Ада", NameFault.MIXED_SCRIPTS),
        ("かな한글", NameFault.MIXED_SCRIPTS),
        ("аdmin", NameFault.MIXED_SCRIPTS),
        *((f"Ad{one}a", NameFault.BAD_CHARACTER) for one in STRANGE),
    ],
)
def test_a_name_is_refused_for_a_reason(typed: str, fault: NameFault) -> None:
    assert why_not(tidied(typed)) is fault


@pytest.mark.parametrize(
    "typed",
    [
        "admin", "ADMIN", "Admin 1", "The Admin", "admin2", "2admin", "adm1n", "4dm1n", "adrnin",
        "a.d.m.i.n", "ad min", "_admin_", "ａｄｍｉｎ", "𝒂𝒅𝒎𝒊𝒏", "ádmîn", "admın", "Moderator", "m0derator", "M0D",
        "rnods", "Official", "0fficia1", "OFFICIAI", "system", "5y5tem", "Staff", "administrador", "Administración",
        "moderadora", "Oficial", "sistema", "Soporte", "админ", "АДМИН", "Админ 7", "администратор", "Модератор",
        "м0дератор", "система", "Поддержка", "официальный",
    ],
)  # fmt: skip
def test_nobody_passes_for_those_who_run_the_service(typed: str) -> None:
    assert why_not(tidied(typed)) is NameFault.RESERVED


@pytest.mark.parametrize("look", ["аdmin", "аԁmіn", "ᴀᴅᴍɪɴ", "ᴍodeʀator", "adⅿin", "αdmin", "ɑdmin", "adm\u0456n"])
def test_nor_by_letters_that_look_alike(look: str) -> None:
    assert not accepted(look)


@given(TEXTS)
def test_a_name_that_is_tidied_stays_as_it_is(text: str) -> None:
    assert tidied(tidied(text)) == tidied(text)


@given(TEXTS)
def test_a_text_is_refused_for_a_reason_or_is_all_that_a_name_should_be(text: str) -> None:
    name = tidied(text)
    if why_not(name) is not None:
        return
    assert len([one for one in name if unicodedata.category(one)[0] != "M"]) in LENGTHS
    assert any(one.isalpha() for one in name)
    assert not set(name) & set(STRANGE)
    assert {unicodedata.category(one)[0] for one in name} <= {"L", "M", "N", "P", "Z"}
    assert not {unicodedata.category(one) for one in name} & {"Zl", "Zp", "Cf", "Me"}
    assert unicodedata.is_normalized("NFKC", name)
    assert name == " ".join(name.split(" "))
    assert name.encode()


@given(st.text(LETTERS, min_size=2, max_size=20), st.sampled_from(STRANGE), st.integers(0, 20))
def test_what_cannot_be_seen_never_gets_through(text: str, strange: str, at: int) -> None:
    assert not accepted(f"{text[: at % len(text)]}{strange}{text[at % len(text) :]}")


@given(
    st.sampled_from(["admin", "moderator", "админ"]),
    st.lists(st.sampled_from(" -._'"), max_size=10),
    st.integers(0, 99),
)
def test_signs_and_numbers_hide_no_reserved_name(word: str, signs: list[str], number: int) -> None:
    spread = word[0] + "".join(f"{sign}{letter}" for sign, letter in zip([*signs, *[""] * 20], word[1:], strict=False))
    name = tidied(f"{spread}{number or ''}")

    assert why_not(name) is not None
