"""The entry points of the engine: from commands to events, and from events to states.

This module only dispatches commands and events to other modules. The rules are in `phases` and `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .chance import NoChance, WouldDraw
from .editions import edition
from .errors import BadRecord, Refusal, WrongSeats
from .events import MATCH_EVENTS, Event, GameStarted
from .evolve import FOLDS, apply
from .phase_names import BATTLE, OVER
from .phases import PHASES, end_by_consent, open_game, resign_seat, winners_as_it_stands
from .state import State

if TYPE_CHECKING:
    from .chance import Chance
    from .commands import Command
    from .edition import Edition
    from .phases import Phase


def start(
    key: str,
    seats: int,
    chance: Chance,
    options: Mapping[str, object] | None = None,
    *,
    revision: int | None = None,
) -> list[Event]:
    """Return the events that start a game or a match, from `GameStarted` to the first `TurnStarted`.

    `revision` defaults to the newest revision of the edition. Raises: UnknownEdition, BadOption, WrongSeats.

    >>> from engine import DEFAULT, RandomChance
    >>> from random import Random
    >>> [type(event).__name__ for event in start(DEFAULT, 3, RandomChance(Random(1)))]
    ['GameStarted', 'MarkerTaken', 'HandsDealt', 'TurnStarted']
    """
    value = edition(key, revision, options)
    require_seats(value, seats)
    state = State(value, seats)
    return _apply_all(state, open_game(state, chance))


def require_seats(value: Edition, seats: int) -> None:
    """Check that an edition supports this number of seats. Raises: WrongSeats."""
    if not value.fewest_seats <= seats <= value.most_seats:
        fewest, most = value.fewest_seats, value.most_seats
        seat_numbers = f"{fewest} to {most}" if fewest < most else str(most)
        raise WrongSeats(
            f"{value.key} supports {seat_numbers} seats, not {seats}",
            edition=value.key,
            clause=value.clauses["wrong-seats"],
            fewest=value.fewest_seats,
            most=value.most_seats,
        )


def advance(state: State, command: Command, chance: Chance) -> list[Event]:
    """Carry out a command: change the state in place and return all resulting events.

    Raises: Refusal, or BadRecord for a card or a region that does not exist. After a Refusal or a BadRecord, the state
    is unchanged. If `chance` raises an exception, the state may be left with only some of the events applied.
    """
    return _apply_all(state, _checked_phase(state, command).decide(state, command, chance))


def advance_to_draw(state: State, command: Command) -> tuple[list[Event], bool]:
    """Carry out a command up to its first draw: change the state in place, and return the events before that draw.

    The second value returned is True if the command causes no other events, and False if a draw follows. Raises: see
    `advance`.
    """
    events: list[Event] = []
    try:
        for event in _checked_phase(state, command).decide(state, command, NoChance()):
            apply(state, event)
            events.append(event)
    except WouldDraw:
        return events, False
    return events, True


def resign(state: State, seat: int, chance: Chance) -> list[Event]:
    """Make a seat resign, even if it is another seat's turn: change the state and return all resulting events.

    Raises: Refusal if the game is over or the seat has already resigned. After a Refusal, the state is unchanged.

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
    refusal = _seat_refusal(state, seat)
    if refusal:
        raise _cite(refusal, state, seat)
    return _apply_all(state, resign_seat(state, seat, chance, PHASES[state.phase].resume))


def end_as_it_stands(state: State) -> list[Event]:
    """End a game because its players agreed to end it: change the state in place and return all resulting events.

    The winners are the seats that `leading` returns. Raises: Refusal if the game is over. After a Refusal, the state is
    unchanged.

    >>> from engine import DEFAULT, RandomChance, replay
    >>> from random import Random
    >>> state = replay(start(DEFAULT, 3, RandomChance(Random(1))))
    >>> end_as_it_stands(state)
    [GameEnded(winners=(0, 1, 2), reasons=('consent',))]
    """
    if state.phase == OVER:
        raise _cite(Refusal("game-over", "the game is over"), state, 0)
    return _apply_all(state, end_by_consent(state))


def leading(state: State) -> tuple[int, ...]:
    """Return the seats that would win if the players agreed to end the game now. The result is public.

    The winners are the seats with the most regions or, if the edition counts battles, with the most battles won. In a
    match, the winners are the seats with the most points. Tied seats share the victory. Seats that have resigned cannot
    win.
    """
    return winners_as_it_stands(state)


def decide(state: State, command: Command, chance: Chance) -> list[Event]:
    """Return all events that a command would cause, without changing the state.

    Raises: Refusal, or BadRecord for a card or a region that does not exist.

    >>> from engine import DEFAULT, RandomChance, legal_commands, replay
    >>> from random import Random
    >>> chance = RandomChance(Random(1))
    >>> state = replay(start(DEFAULT, 3, chance))
    >>> [type(event).__name__ for event in decide(state, legal_commands(state)[0], chance)]
    ['RegionChosen', 'TurnStarted']
    """
    return advance(state.copy(), command, chance)


def evolve(state: State, *events: Event) -> State:
    """Return the state that follows from `state` and the next events of its log. `state` itself does not change."""
    after = state.copy()
    for event in events:
        apply(after, event)
    return after


def replay(events: Iterable[Event]) -> State:
    """Return the state after all events of a log.

    Replaying applies no rules and makes no random draws. Raises: BadRecord if the first event is not `GameStarted`, and
    UnknownEdition if the first event names an edition that does not exist.
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
    """Return a shorter log that leads to the same state, without the earlier games of a match.

    Each game of a match starts from an empty table. From the earlier games, the result therefore contains only the
    log's first event and the events of the types in `MATCH_EVENTS`. `events` must begin with `GameStarted`, and must
    contain all events of each command. If only one game has started, the result is a copy of the whole log.

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
    last = max((index for index, event in enumerate(events) if isinstance(event, GameStarted)), default=0)
    if last == 0:
        return [*events]
    return [events[0], *(event for event in events[:last] if type(event) in MATCH_EVENTS), *events[last:]]


def legal_commands(state: State) -> list[Command]:
    """Return every legal command of the seat to act, or an empty list if the game is over.

    >>> from engine import DEFAULT, RandomChance, replay
    >>> from random import Random
    >>> len(legal_commands(replay(start(DEFAULT, 3, RandomChance(Random(1))))))
    17
    """
    phase = PHASES.get(state.phase)
    return phase.legal(state) if phase else []


def _checked_phase(state: State, command: Command) -> Phase:
    """Check a command, and return the phase that will carry it out.

    Raises: Refusal, or BadRecord for a card or a region that does not exist.
    """
    phase = PHASES.get(state.phase)
    try:
        if phase is None or command.seat != state.turn or not isinstance(command, phase.commands):
            raise _turn_refusal(state, command)
        phase.check(state, command)
    except Refusal as refusal:
        raise _cite(refusal, state, command.seat) from None
    return phase


def _apply_all(state: State, chain: Iterable[Event]) -> list[Event]:
    """Apply each event to the state as soon as it is yielded, and return all events."""
    folds = FOLDS
    events = []
    for event in chain:
        folds[type(event)](state, event)
        events.append(event)
    return events


def _turn_refusal(state: State, command: Command) -> Refusal:
    """Return the Refusal for a command that the seat cannot give now, or that does not belong to the current phase."""
    refusal = _seat_refusal(state, command.seat)
    if refusal:
        return refusal
    if command.seat == state.turn:
        return Refusal("wrong-phase", f"the game is in the phase {state.phase}, which does not allow this move", "type")
    passed = state.passed & ~state.bystanders()
    if state.phase == BATTLE and isinstance(command, PHASES[BATTLE].commands) and passed >> command.seat & 1:
        return Refusal("already-passed", f"seat {command.seat} has already passed in this battle")
    return Refusal("not-your-turn", f"it is seat {state.turn}'s turn, not seat {command.seat}'s")


def _seat_refusal(state: State, seat: int) -> Refusal | None:
    """Return the Refusal for any command of a seat that can no longer act, or None if the seat can act."""
    if state.phase == OVER:
        return Refusal("game-over", "the game is over")
    if state.gone >> seat & 1:
        return Refusal("already-resigned", f"seat {seat} has resigned from this game")
    return None


def _cite(refusal: Refusal, state: State, seat: int) -> Refusal:
    """Add the edition, the clause and the legal commands to a refusal."""
    refusal.edition = state.edition.key
    refusal.clause = state.edition.clauses[refusal.code]
    # The legal commands of another seat would reveal its hand.
    refusal.legal = tuple(legal_commands(state)) if seat == state.turn else ()
    return refusal
