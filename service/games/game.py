"""One game, rebuilt from its log: the table and the position (`Snapshot`), and the log itself (`Game`)."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from engine import EngineError, SeededChance, State, UnknownEdition, commitment, evolve
from engine import Event as GameEvent
from engine import replay as replay_events
from engine.bots import BOTS, RETIRED, Bot, bot_of
from engine.cards import NOTHING, Hand
from engine.phases import PHASES

from ..store.chain import START, head
from ..store.commits import Commits, Head
from ..store.errors import CorruptLog, UnknownFormat
from .burying import buried_after
from .commits import Commit, commits_of, hash_after, to_record
from .events import Event, TableOpened, game_events, table_events
from .replay import table_and_events
from .table import CANCELLED, FINISHED, OPEN, OVER, RUNNING, Seat, Table, empty_table

SEED_BYTES = 32
ABSENT = "absent"
"""The name of the bot that plays an opened seat until a player takes the seat."""


@dataclass(frozen=True)
class Snapshot:
    """A game at one version. Everything can be derived from the log, except the seed, which is stored separately.

    The `repr` of a snapshot leaves out secret fields.
    """

    id: str
    version: int
    """The length of the log."""
    opened_at: int
    changed_at: int
    """`opened_at` and `changed_at` are the times of the first and the last commit, in ms since the epoch."""
    seed: bytes = field(repr=False)
    table: Table
    state: State | None = field(repr=False)
    """The position, or None before the game has started."""
    hash: str = field(repr=False)
    """The hash of the log (see `store.chain`). While the game is running, this hash is secret, but `head` is public."""
    buried: Hand = field(repr=False)
    """The secret cards in the discard: cards that seats discarded from their hands. Empty if the edition's discard is
    not open."""

    @property
    def head(self) -> str:
        """The head of the log's hash chain: a public value that identifies this version and all earlier versions."""
        return head(self.seed, self.hash)

    @property
    def status(self) -> str:
        """The game's status: open, running, finished or cancelled."""
        if self.table.cancelled is not None:
            return CANCELLED
        if self.state is not None:
            return RUNNING if self.state.result is None else FINISHED
        return OPEN

    @property
    def revealed(self) -> bool:
        """Whether the game has started and has since ended. Everything about a game that has started and ended is
        public.
        """
        return self.state is not None and self.status in OVER

    @property
    def chance(self) -> SeededChance:
        """The source of this game's random draws."""
        return SeededChance(self.seed, [bytes.fromhex(seat.entropy) for seat in self.table.seats])

    @property
    def seat_to_act(self) -> int | None:
        """The seat that the game is waiting for, or None if the game is not running or is paused."""
        table, state = self.table, self.state
        if state is None or state.result is not None or table.cancelled is not None:
            return None
        pausing = table.clock is not None and table.clock.paused is not None
        return None if pausing else state.turn

    def seats_of_people(self) -> list[int]:
        """Return the seats whose players make their own moves.

        Seats with a bot, and seats that have resigned, are left out.
        """
        gone = 0 if self.state is None else self.state.gone
        seats = enumerate(self.table.seats)
        return [n for n, seat in seats if seat.player is not None and seat.bot is None and not gone >> n & 1]

    def player_to_act(self) -> str | None:
        """Return the player that the game is waiting for, or None if the game is waiting for a bot or for nobody."""
        seat = None if self.seat_to_act is None else self.table.seats[self.seat_to_act]
        return None if seat is None or seat.bot is not None else seat.player

    def bot_to_act(self) -> str | None:
        """Return the key of the bot that the game is waiting for, or `ABSENT` for a seat with neither player nor bot.

        Returns None if the game is waiting for a player or for nobody.
        """
        if self.seat_to_act is None:
            return None
        seat = self.table.seats[self.seat_to_act]
        return seat.bot or (None if seat.player is not None else ABSENT)

    @property
    def search_to_act(self) -> bool:
        """Whether the game is waiting for a search bot, whose move may take a while."""
        bot = None if self.seat_to_act is None else bot_of_seat(self.table.seats[self.seat_to_act])
        return bot is not None and bot.searches

    def after(self, at: int, events: Sequence[Event], by: str = "") -> Snapshot:
        """Return the game after another commit with these events, made at `at` (ms since the epoch) by `by`.

        This is the only method that applies a change to a game. The original snapshot is not modified.
        """
        new_events = game_events(events)
        state = _position_after(self.state, new_events)
        return Snapshot(
            self.id,
            self.version + 1,
            self.opened_at if self.version else at,
            at,
            self.seed,
            self.table.after(at, table_events(events), new_events),
            state,
            hash_after(self.hash, self.version + 1, at, by, events),
            buried_after(self.buried, state, events),
        )


@dataclass(frozen=True)
class Game(Snapshot):
    """A game rebuilt from its log, together with the log."""

    commits: Commits = field(repr=False)
    """The log as it is stored. The `since` method returns `Commit` values."""
    events: Sequence[GameEvent] = field(repr=False)
    """The game events that lead to the position, as `replay.table_and_events` returns them."""

    def commit_of_request(self, by: str, key: str) -> Head | None:
        """Return the head of the commit that `by` made in a request with this key, or None if there is none."""
        return next((head for head in self.commits.heads_with_key(key) if head["by"] == by), None)

    def since(self, version: int) -> list[Commit]:
        """Return the commits after a version. Raises: CorruptLog."""
        return commits_of(self.commits[version:])

    def moved_since(self, version: int) -> bool:
        """Return True if a commit after this version contains a game event, or if the game has not reached the version
        yet.
        """
        return version > self.version or any(commit.game_events for commit in self.since(version))

    def at(self, version: int) -> Game:
        """Return the game as it was at an earlier version."""
        return rebuild(self.commits[:version], self.seed)


@dataclass(frozen=True)
class StartedGame(Game):
    """A game that has started, and therefore has a position. The game may be running, finished or cancelled."""

    state: State = field(repr=False)


def unopened_game(game_id: str, seed: bytes, opened: TableOpened) -> Snapshot:
    """Return a game without any commits. The first commit will open the table."""
    return Snapshot(game_id, 0, 0, 0, seed, empty_table(opened), None, START, NOTHING)


def rebuild(commits: Commits, seed: bytes) -> Game:
    """Replay a log and return its game, which is a `StartedGame` if it has started.

    Raises: CorruptLog if the log cannot be read, and UnknownFormat if this release lacks the edition's revision, a bot
    that has a seat, or the revision of such a bot.
    """
    try:
        table, events = table_and_events(commits)
        state = replay_events(events) if events else None
        log = commits.game_id, len(commits), commits.at(0), commits.at(-1), seed, table
        hash_ = commits.hash
        rest = hash_, buried_after(NOTHING, state, events), commits, events
        game = Game(*log, None, *rest) if state is None else StartedGame(*log, state, *rest)
        _check(game)
        if any(_has_bot_to_come(seat) for seat in table.seats):
            raise UnknownFormat(commits.game_id)
    except UnknownEdition as error:
        raise UnknownFormat(commits.game_id) from error
    except (EngineError, LookupError, TypeError, ValueError, AssertionError) as error:
        raise CorruptLog(commits.game_id) from error
    return game


def game_of(game_id: str, commits: Iterable[Commit], seed: bytes) -> Game:
    """Rebuild a game from all commits of its log, in order. Raises: the same exceptions as `rebuild`."""
    return rebuild(Commits.of(game_id, map(to_record, commits)), seed)


def _has_bot_to_come(seat: Seat) -> bool:
    """Return whether a seat's bot, or the bot's revision, exists only in later releases."""
    if seat.bot is None:
        return False
    revision = 1 if seat.revision is None else seat.revision
    newest = BOTS.get(seat.bot)
    return (seat.bot, revision) not in RETIRED if newest is None else revision > newest.revision


def _position_after(state: State | None, events: Sequence[GameEvent]) -> State | None:
    """Return the position after some game events. If `state` is None, the first event starts the game."""
    if not events:
        return state
    return replay_events(events) if state is None else evolve(state, *events)


def _check(game: Game) -> None:
    """Check that a game can be continued. Raises: ValueError if its log contradicts itself or its seed."""
    if len(game.seed) != SEED_BYTES or commitment(game.seed) != game.table.opened.commitment:
        raise ValueError("the seed does not match the game's commitment")
    for seat in game.table.seats:
        bytes.fromhex(seat.entropy)
    state = game.state
    if state is not None and state.result is None and not (state.phase in PHASES and 0 <= state.turn < state.seats):
        raise ValueError("the game is not waiting for anybody")


def random_of_hint(seed: bytes, version: int) -> Random:
    """Return the random numbers for a hint at a version.

    A repeated job gets the same random numbers, and therefore computes the same hint. These
    numbers are independent of the random numbers that bots at the table get.

    >>> random_of_hint(bytes(32), 7).random() == random_of_hint(bytes(32), 7).random()
    True
    """
    return Random(hmac.digest(seed, b"hint" + version.to_bytes(8, "big"), "sha256"))


def bot_of_seat(seat: Seat) -> Bot | None:
    """Return the bot that plays a seat: the recorded revision or, if that revision is retired, the newest revision.

    Returns None if no bot plays the seat, or if all revisions of the bot are retired.
    """
    return None if seat.bot is None else bot_of(seat.bot, seat.revision) or BOTS.get(seat.bot)


def key_of_orders(seed: bytes, version: int) -> str:
    """Return the key of a commit that standing orders make when the game is at `version`.

    The key looks like the key of a request without an Idempotency-Key, so the log does not reveal that there were
    orders. Only somebody who knows the seed can recognise the key.

    >>> key_of_orders(bytes(32), 7)
    '7aa0f0381ab10a716f3a86c1d4a27d82'
    """
    return hmac.digest(seed, b"orders" + version.to_bytes(8, "big"), "sha256").hex()[:32]
