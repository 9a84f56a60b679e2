"""The game as a pure function of its log: commands are decided into events, events are folded into states.

Dispatch only; the rules stand in `phases` and `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .editions import edition
from .errors import BadRecord, Refusal, WrongSeats
from .events import LASTING, Event, GameStarted
from .evolve import FOLDS, apply
from .phase_names import BATTLE, OVER
from .phases import PHASES, a_seat_leaves, open_game
from .state import State

if TYPE_CHECKING:
    from .chance import Chance
    from .commands import Command
    from .edition import Edition


def start(
    key: str,
    seats: int,
    chance: Chance,
    options: Mapping[str, object] | None = None,
    *,
    revision: int | None = None,
) -> list[Event]:
    """Return the events that open a game, or a match: its edition, the first marker and hands, the first turn.

    Without a revision it is played by the newest one of the edition. Raises: UnknownEdition, BadOption, WrongSeats.

    >>> from engine import DEFAULT, RandomChance
    >>> from random import Random
    >>> [type(event).__name__ for event in start(DEFAULT, 3, RandomChance(Random(1)))]
    ['GameStarted', 'MarkerTaken', 'HandsDealt', 'TurnStarted']
    """
    value = edition(key, revision, options)
    require_seats(value, seats)
    state = State(value, seats)
    return _happen(state, open_game(state, chance))


def require_seats(value: Edition, seats: int) -> None:
    """Do nothing where an edition is played by so many seats. Raises: WrongSeats."""
    if not value.fewest_seats <= seats <= value.most_seats:
        fewest, most = value.fewest_seats, value.most_seats
        played_by = f"{fewest} to {most}" if fewest < most else str(most)
        raise WrongSeats(
            f"{value.key} supports {played_by} seats, not {seats}",
            edition=value.key,
            clause=value.clauses["wrong-seats"],
            fewest=value.fewest_seats,
            most=value.most_seats,
        )


def advance(state: State, command: Command, chance: Chance) -> list[Event]:
    """Decide a command on a state that one owns: the state is changed and the whole chain of events returned.

    Raises: Refusal, or BadRecord for a card or a region that does not exist, and then the state is unchanged. What
    `chance` raises leaves it in the middle of the chain.
    """
    phase = PHASES.get(state.phase)
    try:
        if phase is None or command.seat != state.turn or not isinstance(command, phase.commands):
            raise _out_of_turn(state, command)
        phase.check(state, command)
    except Refusal as refusal:
        raise _cited(refusal, state, command.seat) from None
    return _happen(state, phase.decide(state, command, chance))


def resign(state: State, seat: int, chance: Chance) -> list[Event]:
    """Let a seat leave for good, also out of its turn: the state is one's own, and is changed as by `advance`.

    Raises: Refusal when the game is over or the seat has resigned before, and then the state is unchanged.

    >>> from engine import DEFAULT, RandomChance, replay
    >>> from random import Random
    >>> chance = RandomChance(Random(1))
    >>> state = replay(start(DEFAULT, 3, chance))
    >>> [type(event).__name__ for event in resign(state, 2, chance)]
    ['SeatResigned', 'HandDiscarded', 'TurnStarted']
    >>> resign(state, 0, chance)[-1]
    GameEnded(winners=(1,), reasons=('resignation',))
    """
    assert 0 <= seat < state.seats, "only a seat of the table can resign"
    refusal = _out_of_play(state, seat)
    if refusal:
        raise _cited(refusal, state, seat)
    return _happen(state, a_seat_leaves(state, seat, chance, PHASES[state.phase].go_on))


def decide(state: State, command: Command, chance: Chance) -> list[Event]:
    """Return the whole chain of events that a command brings about; the state stays as it is.

    Raises: Refusal.

    >>> from engine import DEFAULT, RandomChance, legal_commands, replay
    >>> from random import Random
    >>> chance = RandomChance(Random(1))
    >>> state = replay(start(DEFAULT, 3, chance))
    >>> [type(event).__name__ for event in decide(state, legal_commands(state)[0], chance)]
    ['RegionChosen', 'TurnStarted']
    """
    return advance(state.copy(), command, chance)


def evolve(state: State, *events: Event) -> State:
    """Return the state after more events of its log, one or several; the state before them stays as it is."""
    after = state.copy()
    for event in events:
        apply(after, event)
    return after


def replay(events: Iterable[Event]) -> State:
    """Return the state that a log leads to. The first event is `GameStarted`; no rule is applied and nothing drawn.

    Raises: BadRecord when the log does not begin a game, UnknownEdition when it names an edition that does not exist.
    """
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, GameStarted):
        raise BadRecord("the first event of a game must be game-started")
    state = State(edition(first.edition, first.revision, dict(first.options)), first.seats)
    for event in rest:
        FOLDS[type(event)](state, event)
    return state


def of_last_game(events: Sequence[Event]) -> list[Event]:
    """Return a shorter log that leads to the same state: it has of earlier games of a match only what still matters.

    Each game of a match begins with a table that is set up again, and `LASTING` events are all that an earlier one
    leaves to it. The events are those of whole commands, the first of them `GameStarted`. The log of a single game, and
    of a match in its first game, is returned as it is.

    >>> from engine import NEWEST, RandomChance, replay, start
    >>> from random import Random
    >>> key = next(key for key in NEWEST if any(option.key == "points" for option in NEWEST[key].options))
    >>> chance, random = RandomChance(Random(7)), Random(7)
    >>> log = start(key, 3, chance, {"points": 25})
    >>> state = replay(log)
    >>> while commands := legal_commands(state):
    ...     log += advance(state, random.choice(commands), chance)
    >>> shorter = of_last_game(log)
    >>> 0 < len(shorter) < len(log), replay(shorter) == state
    (True, True)
    """
    last = max((place for place, event in enumerate(events) if isinstance(event, GameStarted)), default=0)
    if last == 0:
        return [*events]
    return [events[0], *(event for event in events[:last] if type(event) in LASTING), *events[last:]]


def legal_commands(state: State) -> list[Command]:
    """Return everything that the seat to act may ask now; nothing when the game is over.

    >>> from engine import DEFAULT, RandomChance, replay
    >>> from random import Random
    >>> len(legal_commands(replay(start(DEFAULT, 3, RandomChance(Random(1))))))
    17
    """
    phase = PHASES.get(state.phase)
    return phase.legal(state) if phase else []


def _happen(state: State, chain: Iterable[Event]) -> list[Event]:
    """Apply each event of a chain before the phase that yields it goes on."""
    folds = FOLDS
    events = []
    for event in chain:
        folds[type(event)](state, event)
        events.append(event)
    return events


def _out_of_turn(state: State, command: Command) -> Refusal:
    """Say why this command is not the seat's to give now, whatever it asks."""
    refusal = _out_of_play(state, command.seat)
    if refusal:
        return refusal
    if command.seat == state.turn:
        return Refusal("wrong-phase", f"the game is in the phase {state.phase}, which does not allow this move", "type")
    passed = state.passed & ~state.bystanders()
    if state.phase == BATTLE and isinstance(command, PHASES[BATTLE].commands) and passed >> command.seat & 1:
        return Refusal("already-passed", f"seat {command.seat} has already passed in this battle")
    return Refusal("not-your-turn", f"it is the turn of seat {state.turn}, not of seat {command.seat}")


def _out_of_play(state: State, seat: int) -> Refusal | None:
    """Say why this seat may do nothing at all any more; None where it may."""
    if state.phase == OVER:
        return Refusal("game-over", "the game is over")
    if state.gone >> seat & 1:
        return Refusal("already-resigned", f"seat {seat} has resigned from this game")
    return None


def _cited(refusal: Refusal, state: State, seat: int) -> Refusal:
    refusal.edition = state.edition.key
    refusal.clause = state.edition.clauses[refusal.code]
    # Another seat's legal commands would show its hand.
    refusal.legal = tuple(legal_commands(state)) if seat == state.turn else ()
    return refusal
