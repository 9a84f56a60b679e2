"""The rules of Condottiere as a pure engine: no clock, no network, no global random state.

    >>> from random import Random
    >>> chance = RandomChance(Random(7))
    >>> events = start(DEFAULT, seats=3, chance=chance)
    >>> state = replay(events)
    >>> while (commands := legal_commands(state)):
    ...     events += advance(state, commands[0], chance)
    >>> replay(events) == state
    True

`decide` returns the events that a command causes, `advance` also applies these events to the state, and `replay` builds
a state from events. `view_for` returns what one seat may see of a state, and `history_for` returns what one seat may
see of the events. `foresee` returns the events that a command is certain to cause, given what the seat can see.
`sample_state` returns a position that agrees with everything that a seat knows. `engine.bots.BOTS` maps each bot's key
to the bot. For a guide, see docs/engine.md.
"""

from .cause import command_of
from .chance import CONSTRUCTION, Chance, RandomChance, SeededChance, commitment
from .commands import (
    ChooseRegion,
    Command,
    DeclineRegion,
    DiscardHand,
    DrawCards,
    KeepCards,
    KeepHand,
    Pass,
    PlayCard,
)
from .decider import (
    advance,
    decide,
    end_as_it_stands,
    evolve,
    leading,
    legal_commands,
    of_last_game,
    replay,
    require_seats,
    resign,
    start,
)
from .edition import Edition, Option
from .editions import DEFAULT, EDITIONS, NEWEST, edition
from .errors import BadOption, BadRecord, EngineError, Refusal, UnknownEdition, WrongSeats
from .events import Event
from .foresight import Foresight, foresee
from .notation import from_notation, to_notation, view_notation
from .record import command_from_record, command_to_record, event_from_record, event_to_record, events_from_records
from .sampling import Knowledge, sample_state
from .secrecy import Histories, history_for, seen_by
from .state import State
from .views import View, view_for

__all__ = [
    "CONSTRUCTION",
    "DEFAULT",
    "EDITIONS",
    "NEWEST",
    "BadOption",
    "BadRecord",
    "Chance",
    "ChooseRegion",
    "Command",
    "DeclineRegion",
    "DiscardHand",
    "DrawCards",
    "Edition",
    "EngineError",
    "Event",
    "Foresight",
    "Histories",
    "KeepCards",
    "KeepHand",
    "Knowledge",
    "Option",
    "Pass",
    "PlayCard",
    "RandomChance",
    "Refusal",
    "SeededChance",
    "State",
    "UnknownEdition",
    "View",
    "WrongSeats",
    "advance",
    "command_from_record",
    "command_of",
    "command_to_record",
    "commitment",
    "decide",
    "edition",
    "end_as_it_stands",
    "event_from_record",
    "event_to_record",
    "events_from_records",
    "evolve",
    "foresee",
    "from_notation",
    "history_for",
    "leading",
    "legal_commands",
    "of_last_game",
    "replay",
    "require_seats",
    "resign",
    "sample_state",
    "seen_by",
    "start",
    "to_notation",
    "view_for",
    "view_notation",
]
