"""The language that a reader prefers."""

import re
from typing import Final, get_args

from service.protocol.people import LanguageName

_RANGE: Final = re.compile(r"\s*([A-Za-z]+|\*)(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?")
_SPOKEN: Final[tuple[LanguageName, ...]] = get_args(LanguageName)


def preferred_language(accepted: str | None) -> LanguageName:
    """Of the service's languages the one that an Accept-Language header likes best; English where it likes none."""
    best, most = _SPOKEN[0], 0.0
    for part in (accepted or "").split(","):
        if not (found := _RANGE.fullmatch(part)):
            continue
        liking = float(found[2] or 1)
        for language in _SPOKEN:
            if found[1].lower() == language and liking > most:
                best, most = language, liking
    return best
