"""Verifies what happens in a running game apart from moves: what players, bots, the host and the clock may do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine import EngineError, State, legal_commands, resign
from engine import Event as GameEvent
from engine.bots import least_committing
from engine.events import SeatResigned

from ..clocks.events import (
    ClockAdvanced,
    DeadlineMoved,
    ExtensionAsked,
    ExtensionGranted,
    GamePaused,
    GameResumed,
    PauseAsked,
    SeatGivenToBot,
    SeatOpened,
    SeatReminded,
    SeatSubstituted,
    SeatTakenBack,
    SeatTimedOut,
)
from ..clocks.game_clock import EXTENSION, OUTAGE, PAUSE, REMINDERS
from ..clocks.reckoning import SECOND
from ..clocks.settings import BOT, OPEN_SEAT, PASS, RESIGN, SHORTEST_EXTENSION
from ..clocks.vacation import VACATION
from ..games.ending import completes, end, has_asked
from ..games.events import (
    HINTS_ALLOWED,
    HOST,
    OUTCOMES,
    SHOWING_ALLOWED,
    CardsShown,
    EndAsked,
    Event,
    HintAsked,
    TableHandedOver,
)
from ..games.game import Snapshot
from ..games.showing import MOST_SHOWINGS, missing
from ..timekeeping.deadlines import CLOCK
from .checks import Case, active_seat_of_author, clock_of, require_author, require_seat_number, resumed, seat_of_author
from .moves import decided
from .report import Wrong
from .seating import hand_over

Outcome = tuple[Sequence[Event], State]
"""The events that a cause must produce, and the position after them."""


# Players, bots and the host in a running game


def _resign(case: Case) -> Outcome:
    seat = seat_of_author(case)
    events, after = _resigned(case.game, case.state, seat)
    return [*resumed(case.game, seat), *events], after


def _after_resuming(case: Case) -> Outcome:
    """Return the outcome when a pause ends, either because a player resumes the game or because the only player who
    could resume it leaves.
    """
    commit = case.commit
    second = commit.events[1] if len(commit.events) > 1 else None
    handler = {SeatResigned: _resign, SeatGivenToBot: _give_to_bot, SeatOpened: _open}.get(type(second))
    if handler is not None:
        return handler(case)
    seat = active_seat_of_author(case)
    clock = clock_of(case.game)
    if clock.paused is None:
        raise Wrong("clock", "a pause ends, but the game is not paused", 0)
    moved = [second] if isinstance(second, DeadlineMoved) else []
    case.stops.check_resumption(clock, commit.at, moved[0] if moved else None)
    return [GameResumed(seat), *moved], case.state


def _give_to_bot(case: Case) -> Outcome:
    """Return the outcome when the host or a player hands over a player's seat to a bot."""
    game, commit = case.game, case.commit
    event = next(event for event in commit.events if isinstance(event, SeatGivenToBot))
    if commit.by == HOST:
        require_seat_number(game, event.seat)
        if event.seat not in game.seats_of_people():
            raise Wrong("table", f"no player makes the moves for seat {event.seat}", 0)
    else:
        _require_given_up(case, event.seat, BOT)
        if event.bot != clock_of(game).settings.bot:
            raise Wrong("table", f"the clock's settings give seats to a bot other than {event.bot}", 0)
    return [*resumed(game, event.seat), event], case.state


def _open(case: Case) -> Outcome:
    seat = seat_of_author(case)
    _require_given_up(case, seat, OPEN_SEAT)
    return [*resumed(case.game, seat), SeatOpened(seat, case.commit.by)], case.state


def _require_given_up(case: Case, seat: int, action: str) -> None:
    game, commit = case.game, case.commit
    clock = game.table.clock
    if game.table.seat_of(commit.by) != seat or case.state.gone >> seat & 1 or game.table.seats[seat].bot is not None:
        raise Wrong("table", f"{commit.by} cannot give up seat {seat}", 0)
    if clock is None or clock.settings.at_timeout != action:
        raise Wrong("table", "the game's settings hand over the seats of absent players in a different way", 0)


def _take_back(case: Case) -> Outcome:
    seat = active_seat_of_author(case)
    if case.game.table.seats[seat].bot is None:
        raise Wrong("table", f"no bot plays seat {seat}", 0)
    return [SeatTakenBack(seat, case.commit.by)], case.state


def _substitute(case: Case) -> Outcome:
    game, commit = case.game, case.commit
    seat = next(event.seat for event in commit.events if isinstance(event, SeatSubstituted))
    require_seat_number(game, seat)
    if not game.table.seats[seat].free or game.table.seat_of(commit.by) is not None:
        raise Wrong("table", f"seat {seat} is not free for {commit.by}", 0)
    return [SeatSubstituted(seat, commit.by)], case.state


def _hand_over(case: Case) -> Outcome:
    event = case.commit.events[0]
    assert isinstance(event, TableHandedOver)
    return hand_over(case.game, case.commit, event), case.state


def _ask_to_end(case: Case) -> Outcome:
    """Return the outcome when a player asks to end the game. The game ends if all other players have also asked."""
    game, event = case.game, case.commit.events[0]
    assert isinstance(event, EndAsked)
    seat, people = active_seat_of_author(case), game.seats_of_people()
    if event.outcome not in OUTCOMES:
        raise Wrong("table", f"outcome: must be {' or '.join(OUTCOMES)}", 0)
    if seat not in people or people == [seat]:
        raise Wrong("table", f"seat {seat} cannot ask to end the game", 0)
    request = EndAsked(seat, event.outcome, game.version)
    if completes(game, request):
        after = case.state.copy()
        return [request, *end(after, event.outcome)], after
    if has_asked(game, seat, event.outcome):
        raise Wrong("table", f"seat {seat} has already asked to end the game", 0)
    return [request], case.state


def _ask_for_hint(case: Case) -> Outcome:
    game = case.game
    seat = active_seat_of_author(case)
    if game.table.hints != HINTS_ALLOWED:
        raise Wrong("table", "this game does not allow hints", 0)
    if game.seat_to_act != seat or game.table.seats[seat].bot is not None or game.table.hint is not None:
        raise Wrong("table", f"seat {seat} cannot ask for a hint now", 0)
    return [HintAsked(seat, game.version)], case.state


def _show_cards(case: Case) -> Outcome:
    game, event = case.game, case.commit.events[0]
    assert isinstance(event, CardsShown)
    seat = active_seat_of_author(case)
    if game.table.showing != SHOWING_ALLOWED:
        raise Wrong("table", "this game does not allow players to show cards", 0)
    others = [other for other in range(len(game.table.seats)) if other != seat]
    if game.table.seats[seat].bot is not None or not event.to or list(event.to) != sorted({*event.to} & {*others}):
        raise Wrong("table", f"seat {seat} cannot show cards to the seats {list(event.to)}", 0)
    if game.table.times_shown(seat) >= MOST_SHOWINGS:
        raise Wrong("table", f"seat {seat} has already shown cards {MOST_SHOWINGS} times in this battle", 0)
    if isinstance(event.cards, int) or not any(event.cards) or any(missing(case.state.hands[seat], event.cards)):
        raise Wrong("command", f"seat {seat} does not hold the cards that it shows", 0)
    return [CardsShown(seat, event.to, event.cards, game.version)], case.state


def _pause(case: Case) -> Outcome:
    game = case.game
    seat, clock = active_seat_of_author(case), clock_of(game)
    if clock.paused is not None:
        raise Wrong("clock", "the game is already paused", 0)
    events: list[Event] = [] if seat in clock.pause_asked else [PauseAsked(seat)]
    if set(game.seats_of_people()) <= {*clock.pause_asked, seat}:
        events.append(GamePaused())
    return events, case.state


def _ask_for_extension(case: Case) -> Outcome:
    game = case.game
    seat, clock = active_seat_of_author(case), clock_of(game)
    extra = next(event.extra for event in case.commit.events if isinstance(event, ExtensionAsked))
    if clock.paused is not None or clock.turn is None or clock.turn.seat != seat or clock.extension is not None:
        raise Wrong("clock", f"seat {seat} cannot ask for more time now", 0)
    if not SHORTEST_EXTENSION * SECOND <= extra <= clock.settings.longest - clock.turn.extra or extra % SECOND:
        raise Wrong("clock", f"seat {seat} cannot ask for {extra} more ms", 0)
    at_once = set(game.seats_of_people()) <= {seat}
    return [ExtensionAsked(seat, extra), *(case.stops.extend(clock, extra) if at_once else [])], case.state


def _grant_extension(case: Case) -> Outcome:
    game = case.game
    seat, clock = active_seat_of_author(case), clock_of(game)
    if clock.extension is None or clock.turn is None or clock.turn.seat == seat:
        raise Wrong("clock", f"seat {seat} has no extension to grant", 0)
    events: list[Event] = [] if seat in clock.extension.agreed else [ExtensionGranted(seat)]
    if set(game.seats_of_people()) - {clock.turn.seat} <= {*clock.extension.agreed, seat}:
        events += case.stops.extend(clock, clock.extension.extra)
    return events, case.state


# The clock


def _move_deadline(case: Case) -> Outcome:
    """Return the outcome when a deadline moves because of an outage, a vacation or a granted extension."""
    game, commit = case.game, case.commit
    event, clock = commit.events[0], clock_of(game)
    assert isinstance(event, DeadlineMoved)
    if event.reason == EXTENSION:
        return _grant_extension(case)
    player = game.player_to_act()
    if event.reason == PAUSE or player is None:
        raise Wrong("clock", "this deadline cannot move now", 0)
    if commit.by != player or event.reason != VACATION:
        require_author(commit, CLOCK)
    if commit.by == CLOCK and event.reason == VACATION and clock.turn and event.deadline < clock.turn.deadline:
        raise Wrong("clock", "the clock moves a deadline only to a later time", 0)
    case.stops.check_move(clock, commit.at, event, OUTAGE if event.reason == OUTAGE else VACATION)
    return [event], case.state


def _advance(case: Case) -> Outcome:
    """Return the outcome when the owner advances the clock for a test."""
    event, clock = case.commit.events[0], clock_of(case.game)
    assert isinstance(event, ClockAdvanced)
    require_author(case.commit, case.game.table.opened.owner)
    expected = None if clock.paused is not None else case.stops.advance(clock, case.commit.at, event.by)
    if expected is None:
        raise Wrong("clock", "no running clock can be advanced", 0)
    return [expected], case.state


def _remind(case: Case) -> Outcome:
    game, commit = case.game, case.commit
    event, clock = commit.events[0], clock_of(game)
    assert isinstance(event, SeatReminded)
    require_author(commit, CLOCK)
    turn = clock.turn
    if turn is None or clock.paused is not None or turn.seat != event.seat or game.player_to_act() is None:
        raise Wrong("clock", f"the clock of seat {event.seat} is not running", 0)
    if event.left not in REMINDERS or event.left >= turn.reminded or turn.left_at(event.left) > commit.at:
        raise Wrong("clock", f"the reminder at {event.left} percent is not due at {commit.at}", 0)
    return [event], case.state


def _time_out(case: Case) -> Outcome:
    """Return the outcome of a timeout, which follows from the clock's settings."""
    game, commit = case.game, case.commit
    clock, player = clock_of(game), game.player_to_act()
    require_author(commit, CLOCK)
    turn = clock.turn
    if turn is None or player is None or not clock.overdue(commit.at):
        deadline = "no clock is running" if turn is None else f"the deadline is {turn.deadline}"
        raise Wrong("clock", f"a seat times out at {commit.at}, but {deadline}", 0)
    seat, misses = turn.seat, clock.misses[turn.seat] + 1
    events: list[Event] = [SeatTimedOut(seat, misses)]
    action = clock.settings.at_timeout if misses >= clock.settings.misses else PASS
    if action == BOT:
        given = next((event for event in commit.events if isinstance(event, SeatGivenToBot)), None)
        events.append(SeatGivenToBot(seat, clock.settings.bot, given.revision if given else None))
    if action == OPEN_SEAT:
        events.append(SeatOpened(seat, player))
    if action == RESIGN:
        consequences, after = _resigned(game, case.state, seat)
    else:
        consequences, after = decided(case.state, least_committing(legal_commands(case.state)), game)
    return [*events, *consequences], after


def _resigned(game: Snapshot, state: State, seat: int) -> tuple[list[GameEvent], State]:
    after = state.copy()
    try:
        return resign(after, seat, game.chance), after
    except EngineError as error:
        raise Wrong("command", f"the seat cannot resign: {error}", 0) from None


RUNNING: Mapping[type, Callable[[Case], Outcome]] = {
    SeatResigned: _resign,
    GameResumed: _after_resuming,
    SeatGivenToBot: _give_to_bot,
    SeatOpened: _open,
    SeatTakenBack: _take_back,
    SeatSubstituted: _substitute,
    EndAsked: _ask_to_end,
    HintAsked: _ask_for_hint,
    CardsShown: _show_cards,
    TableHandedOver: _hand_over,
    PauseAsked: _pause,
    GamePaused: _pause,
    ExtensionAsked: _ask_for_extension,
    ExtensionGranted: _grant_extension,
    DeadlineMoved: _move_deadline,
    ClockAdvanced: _advance,
    SeatReminded: _remind,
    SeatTimedOut: _time_out,
}
"""The functions that return the outcome of a commit's cause, keyed by the type of the commit's first event.

Moves are not in this table.
"""
