"""Seating in a record: the opening of a table, and everything that may happen until its game starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from engine import CONSTRUCTION, BadOption, EngineError, State, WrongSeats, edition, require_seats, start
from engine import replay as replay_events
from engine.events import GameStarted

from ..games.events import (
    HINTS_ALLOWED,
    MOST_ENTROPY,
    NAMES_HIDDEN,
    NO_TALK,
    SHOWING_ALLOWED,
    STARTS,
    TALK_PUBLIC,
    BotSeated,
    Event,
    SeatClosed,
    SeatLeft,
    SeatTaken,
    TableCancelled,
    TableHandedOver,
    TableOpened,
)
from ..games.game import Snapshot
from .checks import Cause, Commit, name_of, require_author, require_seat_number
from .report import Wrong


def opening_of(game: Snapshot, commit: Commit, revision: int | None) -> Cause:
    """Return the events that must be in a record's first commit, which opens a table. Raises: Wrong.

    `game` is the table before any seat is taken. `revision` is the edition's revision in the header.
    """
    opened = game.table.opened
    bots = [event for event in commit.events if isinstance(event, BotSeated)]
    taken = next((event for event in commit.events if isinstance(event, SeatTaken)), None)
    require_author(commit, opened.owner)
    _check_opening(opened, len(bots), revision)
    if [bot.seat for bot in bots] != sorted({bot.seat for bot in bots if 0 <= bot.seat < opened.seats}):
        raise Wrong("table", "the bots' seats must be different seats of the table, in ascending order", 1)
    events: list[Event] = [opened, *bots]
    free = [seat for seat in range(opened.seats) if seat not in {bot.seat for bot in bots}]
    if free:
        # In a rematch, the owner's seat follows from the earlier game, which is not in the record.
        seat = taken.seat if taken is not None and taken.seat in free else free[0]
        events.append(SeatTaken(seat, opened.owner, _entropy(taken)))
    return Cause(*_with_start(game, commit, events))


def before_start(game: Snapshot, commit: Commit) -> tuple[list[Event], State | None]:
    """Return the events that a commit to an open game must produce, and the position after them.

    The position is None unless the commit starts the game. Raises: Wrong.
    """
    table, first = game.table, commit.events[0]
    match first:
        case SeatTaken(seat, player, _):
            require_author(commit, player)
            require_seat_number(game, seat)
            if not table.seats[seat].free or table.seat_of(player) is not None:
                raise Wrong("table", f"seat {seat} is not free for the player {player}", 0)
            return _with_start(game, commit, [SeatTaken(seat, player, _entropy(first))])
        case SeatLeft(seat, player):
            require_author(commit, player)
            if player == table.opened.owner or table.seat_of(player) != seat:
                raise Wrong("table", f"the player {player} cannot leave seat {seat}", 0)
            return [first], None
        case BotSeated(seat, _, _):
            require_author(commit, table.opened.owner)
            _require_free(game, seat)
            return _with_start(game, commit, [first])
        case SeatClosed(seat):
            require_author(commit, table.opened.owner)
            _require_free(game, seat)
            _require_seats(table.opened, table.opened.seats - 1)
            return _with_start(game, commit, [first])
        case TableHandedOver():
            return hand_over(game, commit, first), None
        case TableCancelled(player):
            require_author(commit, table.opened.owner)
            if player != table.opened.owner:
                raise Wrong("table", f"only the owner can cancel a table, not {player}", 0)
            return [first], None
        case GameStarted():
            require_author(commit, table.opened.owner)
            if table.free_seats:
                raise Wrong("table", f"the game starts while these seats are free: {table.free_seats}", 0)
            return _start(game, commit, [])
    raise Wrong("table", f"the event {name_of(first)} is not possible before the game starts", 0)


def hand_over(game: Snapshot, commit: Commit, event: TableHandedOver) -> list[Event]:
    """Return the event that makes another player the owner of a game. Raises: Wrong."""
    require_author(commit, game.table.opened.owner)
    seat = game.table.seat_of(event.player)
    if event.player == commit.by or seat is None or (game.state is not None and game.state.gone >> seat & 1):
        raise Wrong("table", f"the player {event.player} cannot become the owner", 0)
    return [event]


def _require_free(game: Snapshot, seat: int) -> None:
    require_seat_number(game, seat)
    if not game.table.seats[seat].free:
        raise Wrong("table", f"seat {seat} is not free", 0)


def _require_seats(opened: TableOpened, seats: int) -> None:
    try:
        require_seats(edition(opened.edition, options=opened.options), seats)
    except (BadOption, WrongSeats, EngineError) as error:
        raise Wrong("table", f"this table cannot have {seats} seats: {error}", 0) from None


def _check_opening(opened: TableOpened, bots: int, revision: int | None) -> None:
    """Check that a table can be opened with these settings. Raises: Wrong."""
    try:
        value = edition(opened.edition, revision, opened.options)
        require_seats(value, opened.seats)
    except (BadOption, WrongSeats, EngineError) as error:
        raise Wrong("table", f"this table cannot be opened: {error}", 0) from None
    if not any(opened.options == chosen for chosen in _options_up_to(value.revision, opened)):
        raise Wrong("table", "the table does not state all options of its edition", 0)
    if opened.start not in STARTS:
        raise Wrong("table", f"start: must be {' or '.join(STARTS)}", 0)
    if opened.hints not in (None, HINTS_ALLOWED):
        raise Wrong("table", f"hints: must be left out or {HINTS_ALLOWED}", 0)
    if opened.showing not in (None, SHOWING_ALLOWED):
        raise Wrong("table", f"showing: must be left out or {SHOWING_ALLOWED}", 0)
    if opened.talk not in (None, TALK_PUBLIC, NO_TALK):
        raise Wrong("table", f"talk: must be left out or {TALK_PUBLIC} or {NO_TALK}", 0)
    if opened.names not in (None, NAMES_HIDDEN):
        raise Wrong("table", f"names: must be left out or {NAMES_HIDDEN}", 0)
    if opened.construction != CONSTRUCTION:
        raise Wrong("table", f"unknown construction of the draws: {opened.construction}", 0)
    if opened.seeded and opened.seats - bots > 1:
        raise Wrong("table", "a game with a chosen seed can have at most one seat without a bot", 0)


def _options_up_to(revision: int, opened: TableOpened) -> Iterator[Mapping[str, object]]:
    """Yield the table's complete options for each revision of its edition, from this revision down to the first.

    The table may have been opened by an earlier version, under a revision that had fewer options.
    """
    for number in range(revision, 0, -1):
        with suppress(EngineError):
            yield dict(edition(opened.edition, number, opened.options).chosen)


def _with_start(game: Snapshot, commit: Commit, events: list[Event]) -> tuple[list[Event], State | None]:
    """Return seating events, followed by the start of the game if the table is full and starts automatically."""
    after = game.after(commit.at, events)
    if after.table.free_seats or after.table.opened.start != "auto":
        return events, None
    return _start(after, commit, events)


def _start(game: Snapshot, commit: Commit, events: Sequence[Event]) -> tuple[list[Event], State]:
    """Return the given events, followed by the events that start the game under the record's revision of the
    edition.
    """
    opened = game.table.opened
    started = next((event for event in commit.events if isinstance(event, GameStarted)), None)
    if started is None:
        raise Wrong("table", "the table is full, but the game does not start")
    try:
        begun = start(opened.edition, opened.seats, game.chance, opened.options, revision=started.revision)
    except EngineError as error:
        raise Wrong("table", f"the game cannot start: {error}") from None
    return [*events, *begun], replay_events(begun)


def _entropy(taken: SeatTaken | None) -> str:
    """Return the entropy of a seat. Raises: Wrong."""
    text = "" if taken is None else taken.entropy
    try:
        is_right = bytes.fromhex(text).hex() == text and len(text) <= 2 * MOST_ENTROPY
    except ValueError:
        is_right = False
    if not is_right:
        raise Wrong("table", f"the entropy of a seat must be at most {MOST_ENTROPY} bytes in lower-case hexadecimal")
    return text
