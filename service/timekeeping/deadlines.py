"""Timekeeping: clocks start and stop with the turns, deadlines move where they must, and run out.

What is due in a game is written by whoever comes first, the clock process or a request: the append makes it once.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from engine import advance, legal_commands, resign

from ..clocks.events import ClockEvent, DeadlineMoved, SeatGivenToBot, SeatOpened, SeatReminded, SeatTimedOut
from ..clocks.game_clock import LEAD, OUTAGE, GameClock, Turn
from ..clocks.hours import Hours
from ..clocks.reckoning import Stop
from ..clocks.settings import BOT, OPEN_SEAT, PASS, RESIGN
from ..clocks.vacation import LEAST, VACATION
from ..games.game import Game, Snapshot, to_records
from ..games.repository import ATTEMPTS, Answer, Games, append, load, new_commit
from ..games.table import to_record
from ..idempotency import Attempt
from ..problems import Problem
from ..store.errors import StoreError, StoreUnavailable
from ..store.presence import Seen
from .absent import least_committing
from .availability import begin_vacation, end_vacation, hours_of, stops_of

MOST = 20
"""How many games are seen to for one look at many, where a deadline is over and the clock has not written so yet."""
CLOCK = "clock"
"""Who makes the commits that no player and no bot makes."""

Record = dict[str, Any]

_logger = logging.getLogger(__name__)

_ENDS = frozenset({"turn-started", "game-ended", "match-ended"})


def current(games: Games, game_id: str) -> Game:
    """Return a game as it stands now: a timeout that is due has been written before anybody looks.

    Raises: Problem (unknown-game), CorruptLog, StoreUnavailable.
    """
    game = load(games, game_id)
    for _ in range(ATTEMPTS):
        clock = game.table.clock
        if clock is None or game.asked is None or not clock.overdue(games.now()):
            break
        keep_time(games, game_id)
        before, game = game.version, load(games, game_id)
        if game.version == before:
            break
    return game


def write_overdue(games: Games) -> None:
    """Write the timeouts that are due in any game: who looks at many sees none as it stood before a deadline.

    The clock writes them within a second, so there are few; `MOST` are written at most. One round trip where nothing is
    due. Raises: StoreUnavailable.
    """
    now = games.now()
    due = games.store.alarms.due(now, MOST)[:MOST]
    if not due or games.store.presence.seen().silent(now):
        return
    for game_id in due:
        try:
            current(games, game_id)
        except StoreUnavailable:
            raise
        except (StoreError, Problem) as error:
            _logger.warning("the timeout of game %s cannot be written: %s", game_id, error)
        except Exception:
            _logger.exception("the timeout of game %s cannot be written", game_id)


def keep_time(games: Games, game_id: str) -> bool:
    """Write what is due in a game now, one commit at most; False where nothing was, or somebody else wrote meanwhile.

    First what moves the deadline, so that nobody's time runs out while the service was down or its player is away; then
    a timeout or a reminder. Raises: Problem (unknown-game), CorruptLog, StoreUnavailable.
    """
    game, now = load(games, game_id), games.now()
    clock, player = game.table.clock, game.player_to_act()
    if clock is None or clock.turn is None or player is None:
        return False
    seen, hours = stops_of(games, player)
    credit = _credit(clock, seen)
    begins = None if credit or seen.silent(now) else _vacation_due(clock, hours, now)
    if begins is not None:
        begin_vacation(games, player, begins, None)
        _tell_games(games, player)
        return True
    moved = credit or clock.moved(VACATION, vacation=hours.vacation)
    # Who came back was told so at once, or would be told too late here: a deadline that was shown is not taken back.
    if moved is not None and moved.deadline > clock.turn.deadline:
        return change(games, game, CLOCK, [moved]) is not None
    if clock.overdue(now):
        return not seen.silent(now) and _time_out(games, game, clock, player)
    if (reminder := clock.turn.due_reminder(now)) is not None:
        return change(games, game, CLOCK, [SeatReminded(clock.turn.seat, reminder)]) is not None
    games.store.alarms.put_off(game_id, game.version, clock.next_look(now) or clock.turn.deadline)
    return False


def change(
    games: Games,
    game: Game,
    by: str,
    events: Sequence[ClockEvent],
    records: Sequence[Record] = (),
    *,
    key: str = "",
    fingerprint: str = "",
) -> Answer | None:
    """Append table events, then game events that follow from them, and what the clock says to both.

    The records are of events that have changed the game's state already; the table is changed here. Returns the game
    after it; None, and nothing is written, where somebody else wrote meanwhile.
    """
    commit = new_commit(games, game.version, by, key or f"{by}-{game.version}", fingerprint, [])
    told = [_happened(game, commit["at"], event) for event in events]
    commit["events"] = clocked(games, game, [*told, *records], commit["at"])
    after = changed(game, commit)
    appended = append(games, after, commit)
    return None if appended is None else Answer(after, appended.repeated)


def changed(game: Snapshot, commit: Mapping[str, Any]) -> Snapshot:
    """Return a game after a commit that has changed its table and its state already, without the log."""
    return Snapshot(game.id, commit["seq"], game.opened_at, commit["at"], game.seed, game.table, game.state)


def clocked(games: Games, game: Snapshot, records: Sequence[Record], at: int) -> list[Record]:
    """Return records of events that have happened to the table and the state, and what the clock says to them.

    It stops where the turn is over or nobody who thinks is asked any more, and starts where a player is asked anew. One
    round trip, for outages that have not been credited yet where it stops and for the player's hours where it starts.
    The table is changed.
    """
    clock, told = game.table.clock, list(records)
    if clock is None:
        return told
    player, over = game.player_to_act(), clock.turn is not None and _is_over(game, clock.turn, told)
    if not over and (player is None or clock.turn is not None):
        return told
    seen, hours = (games.store.presence.seen(), None) if player is None else stops_of(games, player)
    if over:
        credit = _credit(clock, seen)
        if credit is not None:
            told.append(_happened(game, at, credit))
        told.append(_happened(game, at, clock.stopped(at)))
    if hours is not None and game.asked is not None:
        told.append(_happened(game, at, clock.started(game.asked, at, hours.habits, hours.vacation)))
    return told


def _is_over(game: Snapshot, turn: Turn, records: Sequence[Record]) -> bool:
    """Tell whether a turn is over after these records.

    Where somebody else has resigned, the seat that is asked is asked once more: its time goes on.
    """
    types = {record["type"] for record in records}
    goes_on = game.state is not None and game.state.result is None and game.state.turn == turn.seat
    if goes_on and any(r["type"] == "seat-resigned" and r["seat"] != turn.seat for r in records):
        return False
    pausing = game.table.clock is not None and game.table.clock.paused is not None
    return bool(types & _ENDS) or (game.player_to_act() is None and not pausing)


def go_on_vacation(games: Games, player: str, until: int | None, attempt: Attempt | None = None) -> Hours:
    """Begin a player's vacation and move the deadlines of the games that wait for them.

    Should this be cut short, what is left is made up for before a deadline is over. Raises: Problem (no-vacation).
    """
    hours = begin_vacation(games, player, games.now(), until, attempt)
    _tell_games(games, player)
    return hours


def come_back(games: Games, player: str, attempt: Attempt | None = None) -> Hours:
    """End a player's vacation and move the deadlines of the games that wait for them."""
    hours = end_vacation(games, player, games.now(), attempt)
    _tell_games(games, player)
    return hours


def give_credit(games: Games, game_id: str) -> bool:
    """Move a game's deadline by the outages that its turn has seen; False where it stays, or somebody else wrote.

    Who finds the deadline over looks for outages once more. Raises: as `keep_time`.
    """
    game = load(games, game_id)
    if game.table.clock is None or game.asked is None:
        return False
    moved = _credit(game.table.clock, games.store.presence.seen())
    return moved is not None and change(games, game, CLOCK, [moved]) is not None


def _tell_games(games: Games, player: str) -> None:
    """Move what a player's vacation moves, in every game that waits for them."""
    for turn in games.store.turns.of_player(player):
        try:
            _tell_game(games, turn["game"], player)
        except StoreUnavailable:
            raise
        except Exception:
            _logger.exception("game %s is not told of a vacation", turn["game"])


def _tell_game(games: Games, game_id: str, player: str) -> None:
    for _ in range(ATTEMPTS):
        game = load(games, game_id)
        clock = game.table.clock
        if clock is None or game.player_to_act() != player:
            return
        moved = clock.moved(VACATION, vacation=hours_of(games, player).vacation)
        if moved is None or change(games, game, player, [moved]):
            return


def _credit(clock: GameClock, seen: Seen) -> DeadlineMoved | None:
    """Return what the outages that a turn has seen do to its deadline."""
    if clock.turn is None:
        return None
    since = clock.turn.since
    return clock.moved(OUTAGE, more=[Stop(*outage, OUTAGE) for outage in seen.outages if outage.until > since])


def _vacation_due(clock: GameClock, hours: Hours, now: int) -> int | None:
    """Return when a vacation that may begin by itself should have begun before this deadline, None where none should.

    However late this is asked, it is the same.
    """
    assert clock.turn is not None
    begins, vacation = clock.turn.deadline - LEAD, hours.vacation
    wanted = clock.settings.vacation and hours.auto_vacation and clock.turn.since <= begins <= now
    return begins if wanted and not vacation.active(begins) and vacation.left(begins) >= LEAST else None


def _time_out(games: Games, game: Game, clock: GameClock, player: str) -> bool:
    """Append a timeout, and what the table wanted to become of it."""
    assert game.state is not None
    assert clock.turn is not None
    seat = clock.turn.seat
    misses = clock.misses[seat] + 1
    events: list[ClockEvent] = [SeatTimedOut(seat, misses)]
    wanted = clock.settings.at_timeout if misses >= clock.settings.misses else PASS
    if wanted == BOT:
        events.append(SeatGivenToBot(seat, clock.settings.bot))
    if wanted == OPEN_SEAT:
        events.append(SeatOpened(seat, player))
    # The turn is over with the time, whatever becomes of the seat: who comes back has the next one.
    if wanted == RESIGN:
        happened = resign(game.state, seat, game.chance)
    else:
        happened = advance(game.state, least_committing(legal_commands(game.state)), game.chance)
    return change(games, game, CLOCK, events, to_records(happened), key=f"timeout-{game.version}") is not None


def _happened(game: Snapshot, at: int, event: ClockEvent) -> Record:
    """Return the record of an event that has changed the table."""
    game.table.apply(at, event)
    return to_record(event)
