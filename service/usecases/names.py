"""Players' names: those that are given, and what a name of one's own has to be."""

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from confusable_homoglyphs.categories import alias
from confusable_homoglyphs.confusables import confusables_data

from service.protocol.people import LanguageName
from service.usecases.errors import NameRefused

LENGTHS: Final = range(2, 25)
"""How many characters a name may have, without the marks on them."""
MARKS: Final = 3
"""How many marks may follow one another: a consonant of the scripts of India can bear so many."""

_SIGNS: Final = " -'._"
_AS_TYPED: Final = str.maketrans("\u2010\u2019", "-'")
"""What keyboards make of hyphens and apostrophes by themselves."""
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | {
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
"""The letters and marks that are nothing to see: fillers and selectors (Unicode's Default_Ignorable_Code_Point)."""
_ANY_SCRIPT: Final = {"COMMON", "INHERITED"}
_MIXTURES: Final = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "BOPOMOFO"},
    {"LATIN", "HAN", "HANGUL"},
)
"""Scripts that are written together, and do not pass for one another (Unicode's Highly Restrictive level)."""

_RESERVED: Final = (
    "admin", "admins", "administration", "administrator", "administrators", "mod", "moderation", "moderator",
    "moderators", "mods", "official", "staff", "support", "sysadmin", "system", "webmaster",
    "administración", "administrador", "administradora", "administradoras", "administradores", "moderación",
    "moderador", "moderadora", "moderadoras", "moderadores", "oficial", "sistema", "soporte",
    "админ", "админы", "администратор", "администраторы", "администрация", "модер", "модератор", "модераторы",
    "модерация", "модеры", "официальная", "официально", "официальный", "поддержка", "система", "техподдержка",
)  # fmt: skip
"""What nobody but those who run the service may be called."""
_SMALL_CAPITAL: Final = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z])")
_AS_LETTERS: Final = str.maketrans("013457l", "oieasti")
"""The digits that pass for letters, and the letter that passes for another."""


class NameFault(StrEnum):
    """Why a name is refused."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    BAD_CHARACTER = "bad_character"
    NO_LETTER = "no_letter"
    MIXED_SCRIPTS = "mixed_scripts"
    RESERVED = "reserved"


_LENGTH: Final = f"A name has {LENGTHS.start} to {LENGTHS.stop - 1} characters."
_SENTENCES: Final = {
    NameFault.TOO_SHORT: _LENGTH,
    NameFault.TOO_LONG: _LENGTH,
    NameFault.BAD_CHARACTER: "A name is made of letters, digits, spaces and - ' . _ alone.",
    NameFault.NO_LETTER: "A name has a letter in it.",
    NameFault.MIXED_SCRIPTS: "A name keeps to one script.",
    NameFault.RESERVED: "This name, or one that it looks like, is for those who run the service.",
}


def refusal_of(fault: NameFault) -> NameRefused:
    """The error that tells of a fault, and what would be right."""
    return NameRefused(fault.value, _SENTENCES[fault])


def tidied(text: str) -> str:
    """The name that somebody typed: with Unicode's compatible characters (NFKC), and single spaces inside alone."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_AS_TYPED).split())


def why_not(name: str) -> NameFault | None:
    """Why nobody may be called by a tidied name; None where they may."""
    kinds = [_kind(character) for character in name]
    length = len(name) - kinds.count("M")
    if length not in LENGTHS:
        return NameFault.TOO_SHORT if length < LENGTHS.start else NameFault.TOO_LONG
    if "" in kinds or re.search(f"(^|[^LM])M|M{{{MARKS + 1}}}", "".join(kinds)):
        return NameFault.BAD_CHARACTER
    if "L" not in kinds:
        return NameFault.NO_LETTER
    scripts = {alias(character) for character in name} - _ANY_SCRIPT
    if len(scripts) > 1 and not any(scripts <= mixture for mixture in _MIXTURES):
        return NameFault.MIXED_SCRIPTS
    return NameFault.RESERVED if _looks_reserved(name) else None


def _kind(character: str) -> str:
    """L for a letter, M for a mark, N for a digit, P for a sign that names have, and nothing for all else."""
    if character in _SIGNS:
        return "P"
    category = unicodedata.category(character)
    if category in {"Me", "Nl", "No"} or character in _INVISIBLE:
        return ""
    return category[0] if category[0] in "LMN" else ""


def _looks_reserved(name: str) -> bool:
    """Whether the name, or a word of it, could be read as a reserved one, also behind or before a number."""
    words = re.split(f"[{re.escape(_SIGNS)}]+", name)
    return any(_look(part) in _LOOKS for word in [*words, "".join(words)] for part in _unnumbered(word))


def _unnumbered(word: str) -> Iterator[str]:
    yield word
    yield word.strip("0123456789")


def _look(text: str) -> str:
    """The same for all texts that look alike: no case, no marks, and one character for all that pass for it."""
    bare = [_lower(one) for one in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(one)]
    return "".join(map(_prototype, "".join(bare).translate(_AS_LETTERS))).casefold().translate(_AS_LETTERS)


def _lower(character: str) -> str:
    """The letter of a small capital, which the tables of look-alikes leave out; any other as it is."""
    found = _SMALL_CAPITAL.fullmatch(unicodedata.name(character, ""))
    return found[1].lower() if found else character


def _prototype(character: str) -> str:
    """What stands for a character and all that look like it: they have it alone for a look-alike, and it has them."""
    match confusables_data.get(character):
        case [{"c": str(other)}]:
            is_pair = len(confusables_data[other]) == 1
            return max(character, other, key=lambda one: (len(one), one)) if is_pair else other
        case _:
            return character


_LOOKS: Final = frozenset(map(_look, _RESERVED))

_MANNERS: Final[dict[LanguageName, tuple[str, ...]]] = {
    "en": (
        "Brisk", "Calm", "Canny", "Civil", "Cordial", "Dapper", "Deft", "Eager", "Fair", "Gallant", "Gentle", "Hale",
        "Jolly", "Keen", "Kindly", "Lively", "Loyal", "Merry", "Modest", "Nimble", "Noble", "Patient", "Placid",
        "Plucky", "Quiet", "Sage", "Serene", "Spry", "Steady", "Sunny", "Tidy", "Witty",
    ),
    "es": (
        "Afable", "Ágil", "Alegre", "Amable", "Audaz", "Brillante", "Capaz", "Constante", "Cordial", "Cortés",
        "Diligente", "Ecuánime", "Elegante", "Feliz", "Fiel", "Firme", "Fuerte", "Gentil", "Hábil", "Humilde",
        "Jovial", "Leal", "Noble", "Paciente", "Prudente", "Puntual", "Sagaz", "Sonriente", "Sutil", "Tenaz",
        "Valiente", "Veloz",
    ),
    "ru": (
        "Бодрый", "Быстрый", "Верный", "Весёлый", "Вольный", "Добрый", "Дружный", "Зоркий", "Кроткий", "Ласковый",
        "Ловкий", "Меткий", "Мирный", "Мудрый", "Отважный", "Проворный", "Радушный", "Резвый", "Сердечный", "Скромный",
        "Славный", "Смелый", "Спокойный", "Степенный", "Стойкий", "Тихий", "Учтивый", "Храбрый", "Честный", "Чуткий",
        "Шустрый", "Ясный",
    ),
}  # fmt: skip
"""The Spanish ones are the same for both genders, the Russian ones are masculine."""
_BIRDS: Final[dict[LanguageName, tuple[str, ...]]] = {
    "en": (
        "Avocet", "Bittern", "Bunting", "Chough", "Crake", "Curlew", "Dipper", "Dunlin", "Egret", "Finch", "Gannet",
        "Grebe", "Heron", "Hobby", "Jackdaw", "Kestrel", "Kite", "Lapwing", "Linnet", "Martin", "Merlin", "Osprey",
        "Petrel", "Pipit", "Plover", "Puffin", "Redstart", "Robin", "Siskin", "Swift", "Tern", "Wagtail",
    ),
    "es": (
        "Abubilla", "Alondra", "Avefría", "Avoceta", "Azor", "Cernícalo", "Cigüeña", "Codorniz", "Cormorán",
        "Estornino", "Garceta", "Garza", "Gaviota", "Golondrina", "Gorrión", "Grulla", "Halcón", "Jilguero",
        "Lavandera", "Lechuza", "Milano", "Mirlo", "Oropéndola", "Pardillo", "Petirrojo", "Pinzón", "Ruiseñor",
        "Tórtola", "Vencejo", "Verderón", "Zarapito", "Zorzal",
    ),
    "ru": (
        "Аист", "Бекас", "Беркут", "Вальдшнеп", "Воробей", "Ворон", "Голубь", "Грач", "Дрозд", "Дятел", "Жаворонок",
        "Журавль", "Зимородок", "Зяблик", "Коростель", "Кречет", "Кулик", "Лебедь", "Лунь", "Орлан", "Перепел",
        "Поползень", "Сапсан", "Скворец", "Снегирь", "Сокол", "Соловей", "Стриж", "Удод", "Филин", "Чибис", "Щегол",
    ),
}  # fmt: skip
"""The Russian ones are masculine."""


def given_name(language: LanguageName, chance: bytes) -> str:
    """A name of two words for a guest, by two bytes of chance."""
    manner, bird = (words[language][byte % 32] for words, byte in zip((_MANNERS, _BIRDS), chance, strict=True))
    return f"{bird} {manner}" if language == "es" else f"{manner} {bird}"
