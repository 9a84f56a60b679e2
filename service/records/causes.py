"""Causes: what a commit of a record may contain, given the game before it and who made it.

A commit begins with the events of its cause: a request of a player, a bot's move, a timeout, an act of the host. All of
these events follow from the first of them, so `cause_of` decides them again and `verifying` compares. The events of
clocks that may follow them are in `clock_events`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from engine import (
    CONSTRUCTION,
    BadOption,
    Command,
    EngineError,
    State,
    WrongSeats,
    advance,
    edition,
    legal_commands,
    require_seats,
    resign,
    start,
    view_for,
)
from engine import Event as GameEvent
from engine import replay as replay_events
from engine.bots import bot_of, least_committing
from engine.events import GameStarted, SeatResigned

from ..clocks.events import (
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
from ..clocks.game_clock import EXTENSION, OUTAGE, PAUSE, GameClock
from ..clocks.reckoning import SECOND
from ..clocks.settings import BOT, OPEN_SEAT, PASS, RESIGN
from ..clocks.vacation import VACATION
from ..games.events import (
    HOST,
    BotSeated,
    Event,
    GameCancelled,
    SeatLeft,
    SeatTaken,
    TableCancelled,
    TableOpened,
    game_events,
    is_game_event,
)
from ..games.game import ABSENT, Snapshot
from ..games.table import OVER
from ..timekeeping.deadlines import CLOCK
from .clock_events import Stops
from .commands import command_of
from .report import UncheckedBot, Wrong

STARTS = ("auto", "owner")
MOST_ENTROPY = 64
"""The most bytes of entropy of a seat."""
SHORTEST_EXTENSION = 60 * SECOND


class Commit(NamedTuple):
    """A commit of a record: its time, its author, and the events of its cause, decoded."""

    at: int
    by: str
    events: Sequence[Event]


class Cause(NamedTuple):
    """What follows from a cause: its events, and the position after them; None before the game starts.

    `bot` is the bot whose choice the commit contains, and `repeated` whether the choice was repeated.
    """

    events: Sequence[Event]
    state: State | None
    bot: UncheckedBot | None = None
    repeated: bool = False


def cause_of(game: Snapshot, commit: Commit, stops: Stops) -> Cause:
    """Return what follows from the cause of a commit. Raises: Wrong."""
    first = commit.events[0] if commit.events else None
    if first is None:
        raise Wrong("table", "the commit has no event of a cause: nothing made it")
    if game.status in OVER:
        raise Wrong("after-end", f"the game is {game.status}, and the commit has the event {_name(first)}", 0)
    if isinstance(first, GameCancelled):
        _require_author(commit, HOST)
        if first.by != HOST:
            raise Wrong("table", f"a game is cancelled by the host, not by {first.by}", 0)
        return Cause([first], game.state)
    if game.state is None:
        return Cause(*_before_start(game, commit))
    if is_game_event(first) and not isinstance(first, SeatResigned | GameStarted):
        return _move(game, game.state, commit)
    handler = _RUNNING.get(type(first))
    if handler is None:
        raise Wrong("table", f"the event {_name(first)} is not possible while a game is running", 0)
    events, state = handler(game, game.state, commit, stops)
    return Cause(events, state)


def opening_of(game: Snapshot, commit: Commit, revision: int | None) -> Cause:
    """Return what follows from the opening of a table, the first commit of a record. Raises: Wrong.

    `game` is the table without its seats; `revision` is the edition's, as the header names it.
    """
    opened = game.table.opened
    bots = [event for event in commit.events if isinstance(event, BotSeated)]
    taken = next((event for event in commit.events if isinstance(event, SeatTaken)), None)
    _require_author(commit, opened.owner)
    _check_opening(opened, len(bots), revision)
    if [bot.seat for bot in bots] != sorted({bot.seat for bot in bots if 0 <= bot.seat < opened.seats}):
        raise Wrong("table", "the seats of bots are not different seats of the table, in order", 1)
    events: list[Event] = [opened, *bots]
    free = [seat for seat in range(opened.seats) if seat not in {bot.seat for bot in bots}]
    if free:
        events.append(SeatTaken(free[0], opened.owner, _entropy(taken)))
    return Cause(*_with_start(game, commit, events))


def _check_opening(opened: TableOpened, bots: int, revision: int | None) -> None:
    """Raises: Wrong."""
    try:
        value = edition(opened.edition, revision, opened.options)
        require_seats(value, opened.seats)
    except (BadOption, WrongSeats, EngineError) as error:
        raise Wrong("table", f"this table cannot be opened: {error}", 0) from None
    if not any(opened.options == chosen for chosen in _options_up_to(value.revision, opened)):
        raise Wrong("table", "the table does not state all options of its edition", 0)
    if opened.start not in STARTS:
        raise Wrong("table", f"start: must be {' or '.join(STARTS)}", 0)
    if opened.construction != CONSTRUCTION:
        raise Wrong("table", f"there is no construction {opened.construction} of the draws", 0)
    if opened.seeded and opened.seats - bots > 1:
        raise Wrong("table", "a game with a chosen seed has at most one seat without a bot", 0)


def _options_up_to(revision: int, opened: TableOpened) -> Iterator[Mapping[str, object]]:
    """Yield all options that the table has on each revision of its edition up to this one, the revision of its start.

    The table may have been opened by an earlier version, on a revision that had fewer options.
    """
    for number in range(revision, 0, -1):
        with suppress(EngineError):
            yield dict(edition(opened.edition, number, opened.options).chosen)


# Before the game starts


def _before_start(game: Snapshot, commit: Commit) -> tuple[list[Event], State | None]:
    table, first = game.table, commit.events[0]
    match first:
        case SeatTaken(seat, player, _):
            _require_author(commit, player)
            _require_seat_number(game, seat)
            if not table.seats[seat].free or table.seat_of(player) is not None:
                raise Wrong("table", f"seat {seat} is not free for the player {player}", 0)
            return _with_start(game, commit, [SeatTaken(seat, player, _entropy(first))])
        case SeatLeft(seat, player):
            _require_author(commit, player)
            if player == table.opened.owner or table.seat_of(player) != seat:
                raise Wrong("table", f"the player {player} cannot leave seat {seat}", 0)
            return [first], None
        case TableCancelled(player):
            _require_author(commit, table.opened.owner)
            if player != table.opened.owner:
                raise Wrong("table", f"only the owner cancels a table, not {player}", 0)
            return [first], None
        case GameStarted():
            _require_author(commit, table.opened.owner)
            if table.free_seats:
                raise Wrong("table", f"the game starts while seats are free: {table.free_seats}", 0)
            return _start(game, commit, [])
    raise Wrong("table", f"the event {_name(first)} is not possible before the game starts", 0)


def _with_start(game: Snapshot, commit: Commit, events: list[Event]) -> tuple[list[Event], State | None]:
    """Return seating events, followed by the start of the game if the table is full and starts by itself."""
    after = game.after(commit.at, events)
    if after.table.free_seats or after.table.opened.start != "auto":
        return events, None
    return _start(after, commit, events)


def _start(game: Snapshot, commit: Commit, events: Sequence[Event]) -> tuple[list[Event], State]:
    """Return these events and those that start the game, on the revision that the record names."""
    opened = game.table.opened
    started = next((event for event in commit.events if isinstance(event, GameStarted)), None)
    if started is None:
        raise Wrong("table", "the table is full, but the game does not start")
    try:
        begun = start(opened.edition, opened.seats, game.chance, opened.options, revision=started.revision)
    except EngineError as error:
        raise Wrong("table", f"the game cannot start: {error}") from None
    return [*events, *begun], replay_events(begun)


# Moves


def _move(game: Snapshot, state: State, commit: Commit) -> Cause:
    """Return what follows from the move of a player, of a bot, or for a seat that nobody has."""
    if _is_paused(game):
        raise Wrong("clock", "a move is made while the game is paused", 0)
    seat = state.turn
    holder = game.table.seats[seat]
    author = f"bot:{seat}" if holder.bot is not None else holder.player or f"{ABSENT}:{seat}"
    _require_author(commit, author)
    command = _command(commit)
    events, after = _decided(state, command, game)
    if holder.bot is not None:
        revision = 1 if holder.revision is None else holder.revision
        bot = bot_of(holder.bot, revision)
        if bot is not None:
            chosen = bot.choose(view_for(state, seat), game.chance.bot_random(game.version))
            _require_choice(f"the bot {holder.bot} (revision {revision})", command, chosen)
        return Cause(events, after, UncheckedBot(holder.bot, revision), repeated=bot is not None)
    if holder.player is None:
        _require_choice("the server, for a seat that nobody has,", command, least_committing(legal_commands(state)))
    return Cause(events, after)


def _command(commit: Commit) -> Command:
    first = commit.events[0]
    command = command_of(game_events([first])[0])
    if command is None:
        raise Wrong("command", f"no move begins with the event {_name(first)}", 0)
    return command


def _decided(state: State, command: Command, game: Snapshot) -> tuple[list[GameEvent], State]:
    """Return the events that follow from a command, and the position after them. Raises: Wrong."""
    after = state.copy()
    try:
        return advance(after, command, game.chance), after
    except EngineError as error:
        raise Wrong("command", f"the rules do not allow this move: {error}", 0) from None


def _require_choice(who: str, command: Command, chosen: Command) -> None:
    if command != chosen:
        raise Wrong("bot", f"{who} would have chosen {chosen}, not {command}", 0)


def _resigned(game: Snapshot, state: State, seat: int) -> tuple[list[GameEvent], State]:
    after = state.copy()
    try:
        return resign(after, seat, game.chance), after
    except EngineError as error:
        raise Wrong("command", f"the seat cannot resign: {error}", 0) from None


# Players, bots and the host in a running game

Outcome = tuple[Sequence[Event], State]


def _resign(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    seat = _seat_of_author(game, commit)
    events, after = _resigned(game, state, seat)
    return [*_resumed(game, seat), *events], after


def _after_resuming(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:
    """Return what follows if a pause ends: a player ends it, or the only player who could end it leaves."""
    second = commit.events[1] if len(commit.events) > 1 else None
    handler = {SeatResigned: _resign, SeatGivenToBot: _give_to_bot, SeatOpened: _open}.get(type(second))
    if handler is not None:
        return handler(game, state, commit, stops)
    seat = _active_seat_of_author(game, state, commit)
    clock = _clock_of(game)
    if clock.paused is None:
        raise Wrong("clock", "a pause ends, but the game is not paused", 0)
    moved = [second] if isinstance(second, DeadlineMoved) else []
    stops.check_resumption(clock, commit.at, moved[0] if moved else None)
    return [GameResumed(seat), *moved], state


def _give_to_bot(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    """Return what follows if the host gives a seat to a bot, or if a player gives up a seat with such settings."""
    event = next(event for event in commit.events if isinstance(event, SeatGivenToBot))
    if commit.by == HOST:
        _require_seat_number(game, event.seat)
        if event.seat not in game.seats_of_people():
            raise Wrong("table", f"no player moves for seat {event.seat}", 0)
    else:
        _require_given_up(game, state, commit, event.seat, BOT)
        if event.bot != _clock_of(game).settings.bot:
            raise Wrong("table", f"the clock's settings give seats to another bot than {event.bot}", 0)
    return [*_resumed(game, event.seat), event], state


def _open(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    seat = _seat_of_author(game, commit)
    _require_given_up(game, state, commit, seat, OPEN_SEAT)
    return [*_resumed(game, seat), SeatOpened(seat, commit.by)], state


def _require_given_up(game: Snapshot, state: State, commit: Commit, seat: int, action: str) -> None:
    clock = game.table.clock
    if game.table.seat_of(commit.by) != seat or state.gone >> seat & 1 or game.table.seats[seat].bot is not None:
        raise Wrong("table", f"{commit.by} cannot give up seat {seat}", 0)
    if clock is None or clock.settings.at_timeout != action:
        raise Wrong("table", "the game's settings hand over the seats of absent players in another way", 0)


def _take_back(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    seat = _active_seat_of_author(game, state, commit)
    if game.table.seats[seat].bot is None:
        raise Wrong("table", f"no bot plays seat {seat}", 0)
    return [SeatTakenBack(seat, commit.by)], state


def _substitute(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    seat = next(event.seat for event in commit.events if isinstance(event, SeatSubstituted))
    _require_seat_number(game, seat)
    if not game.table.seats[seat].free or game.table.seat_of(commit.by) is not None:
        raise Wrong("table", f"seat {seat} is not free for {commit.by}", 0)
    return [SeatSubstituted(seat, commit.by)], state


def _pause(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    seat, clock = _active_seat_of_author(game, state, commit), _clock_of(game)
    if clock.paused is not None:
        raise Wrong("clock", "the game is already paused", 0)
    events: list[Event] = [] if seat in clock.pause_asked else [PauseAsked(seat)]
    if set(game.seats_of_people()) <= {*clock.pause_asked, seat}:
        events.append(GamePaused())
    return events, state


def _ask_for_extension(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:
    seat, clock = _active_seat_of_author(game, state, commit), _clock_of(game)
    extra = next(event.extra for event in commit.events if isinstance(event, ExtensionAsked))
    if clock.paused is not None or clock.turn is None or clock.turn.seat != seat or clock.extension is not None:
        raise Wrong("clock", f"seat {seat} cannot ask for more time now", 0)
    if not SHORTEST_EXTENSION <= extra <= clock.settings.longest - clock.turn.extra or extra % SECOND:
        raise Wrong("clock", f"seat {seat} cannot ask for {extra} ms more", 0)
    at_once = set(game.seats_of_people()) <= {seat}
    return [ExtensionAsked(seat, extra), *(stops.extend(clock, extra) if at_once else [])], state


def _grant_extension(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:
    seat, clock = _active_seat_of_author(game, state, commit), _clock_of(game)
    if clock.extension is None or clock.turn is None or clock.turn.seat == seat:
        raise Wrong("clock", f"seat {seat} has nothing to grant", 0)
    events: list[Event] = [] if seat in clock.extension.agreed else [ExtensionGranted(seat)]
    if set(game.seats_of_people()) - {clock.turn.seat} <= {*clock.extension.agreed, seat}:
        events += stops.extend(clock, clock.extension.extra)
    return events, state


# The clock


def _move_deadline(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:
    """Return what follows if a deadline moves: by an outage, by a vacation, or because all have granted more time."""
    event, clock = commit.events[0], _clock_of(game)
    assert isinstance(event, DeadlineMoved)
    if event.reason == EXTENSION:
        return _grant_extension(game, state, commit, stops)
    player = game.player_to_act()
    if event.reason == PAUSE or player is None:
        raise Wrong("clock", "nothing moves this deadline", 0)
    if commit.by != player or event.reason != VACATION:
        _require_author(commit, CLOCK)
    if commit.by == CLOCK and event.reason == VACATION and clock.turn and event.deadline < clock.turn.deadline:
        raise Wrong("clock", "the clock moves a deadline only to a later time", 0)
    stops.check_move(clock, commit.at, event, OUTAGE if event.reason == OUTAGE else VACATION)
    return [event], state


def _remind(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    event, clock = commit.events[0], _clock_of(game)
    assert isinstance(event, SeatReminded)
    _require_author(commit, CLOCK)
    turn = clock.turn
    if turn is None or clock.paused is not None or turn.seat != event.seat or game.player_to_act() is None:
        raise Wrong("clock", f"the clock of seat {event.seat} is not running", 0)
    due = turn.due_reminder(commit.at)
    if due is None or event.left < due or event.left >= turn.reminded or turn.left_at(event.left) > commit.at:
        raise Wrong("clock", f"the reminder at {event.left} percent is not due at {commit.at}", 0)
    return [event], state


def _time_out(game: Snapshot, state: State, commit: Commit, stops: Stops) -> Outcome:  # noqa: ARG001
    """Return the consequences of a timeout, which follow from the settings of the clock."""
    clock, player = _clock_of(game), game.player_to_act()
    _require_author(commit, CLOCK)
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
        consequences, after = _resigned(game, state, seat)
    else:
        consequences, after = _decided(state, least_committing(legal_commands(state)), game)
    return [*events, *consequences], after


_RUNNING: Mapping[type, Callable[[Snapshot, State, Commit, Stops], Outcome]] = {
    SeatResigned: _resign,
    GameResumed: _after_resuming,
    SeatGivenToBot: _give_to_bot,
    SeatOpened: _open,
    SeatTakenBack: _take_back,
    SeatSubstituted: _substitute,
    PauseAsked: _pause,
    GamePaused: _pause,
    ExtensionAsked: _ask_for_extension,
    ExtensionGranted: _grant_extension,
    DeadlineMoved: _move_deadline,
    SeatReminded: _remind,
    SeatTimedOut: _time_out,
}
"""What follows from a cause in a running game, by the type of its first event, except moves."""


# Checks that several causes share


def _require_author(commit: Commit, author: str) -> None:
    if commit.by != author:
        raise Wrong("author", f"the commit is by {commit.by}, but only {author} can have made it")


def _seat_of_author(game: Snapshot, commit: Commit) -> int:
    seat = game.table.seat_of(commit.by)
    if seat is None:
        raise Wrong("author", f"the commit is by {commit.by}, who has no seat")
    return seat


def _active_seat_of_author(game: Snapshot, state: State, commit: Commit) -> int:
    seat = _seat_of_author(game, commit)
    if state.gone >> seat & 1:
        raise Wrong("author", f"the commit is by {commit.by}, who has resigned")
    return seat


def _require_seat_number(game: Snapshot, seat: int) -> None:
    if not 0 <= seat < len(game.table.seats):
        raise Wrong("table", f"there is no seat {seat}", 0)


def _clock_of(game: Snapshot) -> GameClock:
    if game.table.clock is None:
        raise Wrong("clock", "the game has no clock", 0)
    return game.table.clock


def _is_paused(game: Snapshot) -> bool:
    return game.table.clock is not None and game.table.clock.paused is not None


def _resumed(game: Snapshot, seat: int) -> list[Event]:
    """Return the end of a pause if nobody but the player of a seat could end it later."""
    return [GameResumed(seat)] if _is_paused(game) and set(game.seats_of_people()) <= {seat} else []


def _entropy(taken: SeatTaken | None) -> str:
    """Return the entropy of a seat. Raises: Wrong."""
    text = "" if taken is None else taken.entropy
    try:
        is_right = bytes.fromhex(text).hex() == text and len(text) <= 2 * MOST_ENTROPY
    except ValueError:
        is_right = False
    if not is_right:
        raise Wrong("table", f"the entropy of a seat has at most {MOST_ENTROPY} bytes, in lower-case hexadecimal")
    return text


def _name(event: Event) -> str:
    return type(event).__name__
