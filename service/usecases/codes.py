"""Codes that people read to each other: Crockford's base 32, in groups of letters and digits."""

from typing import Final

_CROCKFORD: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MISREAD: Final = str.maketrans("OIL", "011")


def code_of(random: bytes, group: int) -> str:
    """A code of one character for each of these bytes: five bits of chance."""
    return _grouped("".join(_CROCKFORD[byte % len(_CROCKFORD)] for byte in random), group)


def read_code(text: str, group: int) -> str:
    """The code that somebody typed, in the form of `code_of`: only its letters and digits matter, in either case."""
    characters = text.upper().translate(_MISREAD)
    return _grouped("".join(character for character in characters if character in _CROCKFORD), group)


def _grouped(characters: str, group: int) -> str:
    return "-".join(characters[at : at + group] for at in range(0, len(characters), group))
