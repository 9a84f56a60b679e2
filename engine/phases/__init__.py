"""The moments of the game: what may be asked in each, and what follows, one step a function."""

from ..phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from .battle import FIGHTING
from .choosing import CHOOSING
from .drawing import DRAWING
from .hands import HANDS
from .keeping import KEEPING
from .opening import open_game
from .phase import Phase
from .resigning import a_seat_leaves

PHASES: dict[str, Phase] = {
    CHOOSE_REGION: CHOOSING,
    BATTLE: FIGHTING,
    KEEP_OR_DISCARD: HANDS,
    KEEP_CARDS: KEEPING,
    DRAW_CARDS: DRAWING,
}
"""Every phase in which the game waits for a seat, by its name."""

__all__ = ["PHASES", "Phase", "a_seat_leaves", "open_game"]
