"""Rule sets are data: one value with five switches, and four presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Fill(StrEnum):
    """What becomes of an empty place in rows 1 to 3.

    Where filling is free, the waste is also topped up from the stock whenever it is empty.
    """

    FORCED = "forced"
    FREE = "free"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The five switches in which the sources differ.

    lateral: the top of a Privy Council pile may be built on another Privy Council pile.
    deep:    rows 2 and 3 may be built on too, so that they grow piles.
    waste:   stock cards are turned one at a time on to a waste, whenever the player likes.
    people:  the waste's top card may be built on the People.
    fill:    whether a vacancy in rows 1 to 3 is filled before anything else.
    """

    lateral: bool
    deep: bool
    waste: bool
    people: bool
    fill: Fill


PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "modern": Rules(lateral=True, deep=False, waste=False, people=False, fill=Fill.FORCED),
        "cadogan": Rules(lateral=False, deep=True, waste=True, people=True, fill=Fill.FORCED),
        "cadogan-1914": Rules(lateral=False, deep=True, waste=True, people=False, fill=Fill.FORCED),
        "pysol": Rules(lateral=False, deep=True, waste=True, people=True, fill=Fill.FREE),
    }
)
"""Morehead and Mott-Smith's game, Lady Cadogan's as the encyclopaedia tells it, her own page of 1914, and PySolFC's."""
