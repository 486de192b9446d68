"""The rules of British Constitution, pure: values in, values out, no clock, no chance, no input or output.

The files build on one another in this order, each importing only from those before it:

errors    what can be wrong, and the reasons why a move is not legal
cards     two packs, packed into small integers
piles     the places where a pile can lie
rules     the five switches of a rule set, and the four presets
position  where all cards lie, and how one transfer changes it
moves     why_not, the one judge; legal_moves, apply, status, perft
deal      numbers, seeds and positions that a game starts from
view      what may be seen of a position
notation  the text forms
log       the bytes of a session's entries
score     the points
game      what a deal, a rule set and a log amount to
sharing   several seats on one board: which moves are whose, and what needs consent
record    the text of a whole game
"""

from service.engine.deal import Deal, Given, Numbered, Pysol, Seeded
from service.engine.errors import CorruptLog, EngineError, IllegalMove, NotationError, Reason
from service.engine.game import Game
from service.engine.moves import Kind, Move, Status, apply, legal_moves, perft, status, why_not
from service.engine.position import Position
from service.engine.rules import PRESETS, Fill, Rules

__all__ = [
    "PRESETS",
    "CorruptLog",
    "Deal",
    "EngineError",
    "Fill",
    "Game",
    "Given",
    "IllegalMove",
    "Kind",
    "Move",
    "NotationError",
    "Numbered",
    "Position",
    "Pysol",
    "Reason",
    "Rules",
    "Seeded",
    "Status",
    "apply",
    "legal_moves",
    "perft",
    "status",
    "why_not",
]
