"""Places: where a pile can lie, as small integers.

0..31 are the tableau, row by row from the Privy Council, columns a to h; then come the waste, the stock and the
Government.
"""

from typing import Final, TypeAlias

Place: TypeAlias = int

COLUMNS: Final = 8
PRIVY_COUNCIL, LORDS, COMMONS, PEOPLE = range(4)
TABLEAU: Final = range(4 * COLUMNS)
ROWS: Final = tuple(range(start, start + COLUMNS) for start in range(0, len(TABLEAU), COLUMNS))
"""The eight places of each row."""
PEOPLE_START: Final[Place] = PEOPLE * COLUMNS

WASTE: Final[Place] = 32
STOCK: Final[Place] = 33
GOVERNMENT: Final[Place] = 34

PLACE_NAMES: Final[tuple[str, ...]] = (
    *("abcdefgh"[place % COLUMNS] + "1234"[place // COLUMNS] for place in TABLEAU),
    "W",
    "S",
    "G",
)
"""For each place its name: `a1` to `h4`, then `W`, `S`, `G`."""


def row_of(place: Place) -> int:
    """The row of a tableau place, 0 (Privy Council) to 3 (People)."""
    return place // COLUMNS
