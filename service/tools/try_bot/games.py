"""The games for trying a bot, and the moments of these games that are sent to the bot. Every run plays the same games.

The engine plays the games, without a store. In each game, the bot's player has one seat. The bot gets only what that
seat may see.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any, NamedTuple

from engine import (
    CONSTRUCTION,
    NEWEST,
    BadOption,
    Command,
    Edition,
    Option,
    command_to_record,
    commitment,
    decide,
    edition,
    legal_commands,
    resign,
    start,
    view_for,
)
from engine.cards import SPRING, WINTER, hand_of
from engine.cards import names_of as names_of_cards

from ...clocks.events import ClockEvent, SeatReminded
from ...clocks.game_clock import REMINDERS
from ...clocks.hours import of_newcomer
from ...clocks.reckoning import DAY, HOUR, SECOND
from ...clocks.settings import BANK, PASS, ClockSettings
from ...clocks.settings import to_record as settings_to_record
from ...games.commits import Commit
from ...games.events import SHOWING_ALLOWED, CardsShown, Event, SeatTaken, TableOpened, bot_seated
from ...games.game import Game, Snapshot, StartedGame, game_of, unopened_game
from ...store.keys import game_id_from, player_id_from
from ...timekeeping.changes import Facts, clock_events, clock_starts, clock_stops
from ...timekeeping.deadlines import CLOCK
from ...timekeeping.timeouts import timeout_events
from ...webhooks.kinds import (
    INVITATION_DECLINED,
    INVITATION_RECEIVED,
    MESSAGE_RECEIVED,
    REMATCH_PROPOSED,
    TABLE_FILLED,
    TURN_STARTED,
    kinds_of,
)

NAMES = ("Caterina", "Lodovico", "Ünal Ælfgifu 馬", "Bianca-Maria", "deleted", "Galeazzo")
"""The names of the players in seat order, beginning with the bot's player. `deleted` stands for a deleted player."""
GAMES = 4
"""The number of games at an edition's first table. At each other table, one game is played.

Every second game has a clock.
"""
SHORT = {"battle_limit": 2, "points": 20}
"""Values for options that are ranges, chosen so that seats are tied and a match has several games."""
LATE = 20 * HOUR
"""Requests about an edition's fourth game are sent this number of ms late."""
CLOCK_SETTINGS = ClockSettings(
    BANK, 2 * DAY // SECOND, HOUR // SECOND, 3 * DAY // SECOND, (), False, False, PASS, 1, "steady"
)
REMIND_EVERY, TIMEOUT_EVERY, RESIGN_AT = 7, 23, 60
"""In games with a clock, reminders occur at versions that are multiples of the first number, and timeouts at multiples
of the second.

At version `RESIGN_AT`, a seat resigns.
"""
SHOW_AT = 20
"""The first version at which another player may show a card to the bot's seat."""

PHASE = "phase "
"""If a moment is the first in its phase, `Moment.shows` contains a string with this prefix."""

PLAYERS = {player_id_from(name, hashlib.sha256(name.encode()).digest()): name for name in NAMES}
PLAYER = next(iter(PLAYERS))
"""The player whose bot is tried."""


class Moment(NamedTuple):
    """A moment to send: the game at a version, the kind of event, and the situations that no earlier moment shows."""

    game: Game
    kind: str
    number: int
    """The number of the delivery about this game, from 1."""
    shows: tuple[str, ...]
    late: bool
    members: Mapping[str, Any] = {}
    """Additional members of the delivery."""
    message: Mapping[str, Any] | None = None
    """The message that the delivery is about."""

    @property
    def phase(self) -> str:
        """The phase of the game."""
        return self.game.state.phase if self.game.state is not None and self.game.state.result is None else ""


def names_of(players: Iterable[str]) -> Mapping[str, str | None]:
    """Return the name of each player, or None for the deleted player."""
    return {player: None if PLAYERS[player] == "deleted" else PLAYERS[player] for player in players}


def moments(keys: Sequence[str], now: int) -> Iterator[Moment]:
    """Yield moments from games of these editions. Together, the moments show every situation. `now` is in ms since the
    epoch.

    Every run yields the same moments, except for their times.
    """
    for key in keys:
        situations: set[str] = set()
        first, *others = _tables(NEWEST[key])
        for number, (seats, options) in enumerate([first] * GAMES + others):
            late = number == GAMES - 1
            played = _Played(key, seats, options, number, now - (LATE if late else 0))
            yield from _chosen(played, situations, late=late)
        yield from _beside_the_log(key, now)


def _chosen(played: _Played, situations: set[str], *, late: bool) -> Iterator[Moment]:
    """Yield the moments of a game that show a situation not yet in `situations`, and add these situations to it."""
    numbers = count(1)
    clocked = played.game.table.clock is not None
    for version, traits in sorted(played.traits.items()):
        commit = played.commits[version - 1]
        kinds = kinds_of(commit, played.seat, clocked=clocked)
        for kind in [*([TABLE_FILLED] if version == played.filled else []), *kinds]:
            new = {f"{kind}, {seen}" for seen in (traits if kind == TURN_STARTED else ("event",))} - situations
            new |= {f"{kind}, late"} - situations if late else set()
            if new:
                situations |= new
                game = game_of(played.game.id, played.commits[:version], played.game.seed)
                shows = tuple(sorted(name.removeprefix(f"{kind}, ") for name in new))
                yield Moment(game, kind, next(numbers), shows, late)


def _beside_the_log(key: str, now: int) -> Iterator[Moment]:
    """Yield moments that no commit causes: invitations, and a message to a player who has a seat."""
    other = list(PLAYERS)[1]
    for kind, by, to in (
        (INVITATION_RECEIVED, other, PLAYER),
        (REMATCH_PROPOSED, other, PLAYER),
        (INVITATION_DECLINED, PLAYER, other),
    ):
        rematch = kind == REMATCH_PROPOSED
        invitation = {
            "kind": "rematch" if rematch else "invitation",
            "player": to,
            "by": by,
            "seat": None,
            "rematch_of": game_id_from(_seed(f"{key} before")) if rematch else None,
            "until": now + 7 * DAY,
            "answer": "no-time" if kind == INVITATION_DECLINED else None,
        }
        yield Moment(_opened(key, by, kind, now), kind, 1, (), False, {"invitation": invitation})
    game = _opened(key, PLAYER, MESSAGE_RECEIVED, now)
    message = {
        "id": "m0123456789abcdef",
        "at": now,
        "room": "table",
        "seats": [],
        "seat": None,
        "by": other,
        "text": "Shall we begin? <b>I am ready.</b>",
    }
    members = {"version": None, "seat": 0, "message": message["id"]}
    yield Moment(game, MESSAGE_RECEIVED, 1, (), False, members, message)


def _opened(key: str, owner: str, name: str, now: int) -> Game:
    """Return a game that its owner has just opened, with a seat for the owner."""
    seed, options = _seed(f"{key} {name}"), dict(edition(key).chosen)
    opened = TableOpened(owner, key, options, NEWEST[key].fewest_seats, "auto", commitment(seed), CONSTRUCTION, False)
    return game_of(game_id_from(seed), [Commit(1, now, owner, "try-1", "", [opened, SeatTaken(0, owner, "")])], seed)


def _seed(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def _tables(value: Edition) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the tables to play at. A table is described by its number of seats, and by the options whose values differ
    from the printed values.

    The first tables use the edition's printed options, with one table for each number of seats. Each later table uses a
    different value for one option, and has either the largest or the smallest number of seats.
    """
    for seats in range(value.fewest_seats, value.most_seats + 1):
        yield seats, {}
    for option in value.options:
        for choice in _choices(option):
            try:
                chosen = edition(value.key, value.revision, {option.key: choice})
            except BadOption:
                continue
            for seats in dict.fromkeys((chosen.most_seats, chosen.fewest_seats)):
                yield seats, {option.key: choice}


def _choices(option: Option) -> list[Any]:
    """Return the values to try for an option, in addition to its printed value."""
    values = [SHORT[option.key]] if isinstance(option.values, range) else option.values
    return [value for value in values if value != option.default]


@dataclass
class _Played:
    """One game, played to its end. `traits` maps each version to the situations that a moment at this version shows."""

    key: str
    seats: int
    options: dict[str, Any]
    number: int
    now: int
    commits: list[Commit] = field(default_factory=list)
    traits: dict[int, set[str]] = field(default_factory=dict)
    filled: int | None = None
    """The version at which the last free seat was taken, or None if all seats were taken in the same commit."""
    card_shown: bool = False
    """Whether another player has shown the bot's seat a card."""

    def __post_init__(self) -> None:
        """Play the game."""
        name = f"{self.key} {self.seats} {sorted(self.options.items())} {self.number}"
        seed = _seed(name)
        self._random = Random(name)
        self.seat = self.number % self.seats
        clock = settings_to_record(CLOCK_SETTINGS) if self.number % 2 else None
        options = dict(edition(self.key, options=self.options).chosen)
        opened = TableOpened(
            PLAYER,
            self.key,
            options,
            self.seats,
            "auto",
            commitment(seed),
            CONSTRUCTION,
            False,
            clock,
            showing=SHOWING_ALLOWED,
        )
        self.game: Snapshot = unopened_game(game_id_from(seed), seed, opened)
        self._began = self.now - HOUR
        *first, last = map(self._seated, range(self.seats))
        if self.number == 0:
            self._append(PLAYER, [opened, *first], "opened")
            self._append(self.game.table.opened.owner, [last], "filled")
            self.filled = self.game.version
        else:
            self._append(PLAYER, [opened, *first, last], "opened")
        begun = start(self.key, self.seats, self.game.chance, self.options)
        self._append(self.game.table.seats[self.seat].player or "", begun, "started")
        while self.game.seat_to_act is not None:
            self._play()

    def _seated(self, seat: int) -> Event:
        """Return the event that seats the bot's player, another player or, in some games, one of the service's bots."""
        place = (seat - self.seat) % self.seats
        if place and (self.number + place) % 3 == 0:
            return bot_seated(seat, "steady")
        return SeatTaken(seat, list(PLAYERS)[place], "c0ffee" if place == 0 else "")

    def _play(self) -> None:
        """Make one move, or let a turn's time run out."""
        assert self.game.state is not None
        seat, clock = self.game.state.turn, self.game.table.clock
        if clock is not None and clock.turn is not None and seat == self.seat:
            if self.game.version % REMIND_EVERY == 0:
                for left in REMINDERS:
                    self._append(CLOCK, [SeatReminded(seat, left)], f"{left} percent left")
            if self.game.version % TIMEOUT_EVERY == 0:
                player, turn = self.game.player_to_act() or "", clock.turn
                started = game_of(self.game.id, self.commits, self.game.seed)
                assert isinstance(started, StartedGame)
                self._append(CLOCK, timeout_events(started, clock, turn, player), "timed out")
                return
        if self.game.version == RESIGN_AT and self.seats > 2:
            leaver = (self.seat + 1) % self.seats
            if leaver in self.game.seats_of_people():
                events = resign(self.game.state.copy(), leaver, self.game.chance)
                self._append(self.game.table.seats[leaver].player or "", events, "a player resigned")
                return
        if self.game.version >= SHOW_AT and not self.card_shown:
            self._show()
        command = self._random.choice(legal_commands(self.game.state))
        by = self.game.player_to_act() or f"bot:{seat}"
        self._append(by, decide(self.game.state, command, self.game.chance), "moved")

    def _show(self) -> None:
        """If another player has a card, let that player show it to the bot's seat."""
        assert self.game.state is not None
        for seat in self.game.seats_of_people():
            cards = names_of_cards(self.game.state.hands[seat])
            if seat != self.seat and cards:
                event = CardsShown(seat, (self.seat,), hand_of(cards[:1]), self.game.version)
                self._append(self.game.table.seats[seat].player or "", [event], "cards were shown")
                self.card_shown = True
                return

    def _append(self, by: str, events: Sequence[Event], happened: str) -> None:
        """Append a commit with these events and the clock events that they cause.

        Record which situations the commit shows.
        """
        at = self._began + SECOND * self.game.version
        after = self.game.after(at, events, by)
        stops = clock_stops(after, events)
        starts = clock_starts(after, stops=stops)
        if stops or starts is not None:
            hours = None if starts is None else of_newcomer(at)
            following: list[ClockEvent] = clock_events(after, at, Facts([], hours), stops=stops)
            events = [*events, *following]
            after = self.game.after(at, events, by)
        self.commits.append(Commit(after.version, at, by, f"try-{after.version}", "", events))
        self.game = after
        self.traits[after.version] = {f"after: {happened}", *_traits(after, self.seat, self.options)}


def _traits(game: Snapshot, seat: int, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield a short description of each situation that a bot can see in this seat's turn.

    `options` are the options whose values differ from the printed values.
    """
    if game.state is None or game.seat_to_act != seat:
        return
    view = view_for(game.state, seat)
    yield PHASE + view.phase
    yield f"{len(view.hands)} seats"
    yield from (f"option {name} {value}" for name, value in options.items())
    yield from _kinds_of_moves(view.legal)
    traits = {
        "one legal move": len(view.legal) == 1,
        "more than 20 legal moves": len(view.legal) > 20,
        "spring": view.season == SPRING,
        "winter": view.season == WINTER,
        "face-down cards": any(cards if isinstance(cards, int) else sum(cards) for cards in view.hidden),
        "a final battle": bool(view.fighters),
        "a seat that resigned": bool(view.gone),
        "a clock": game.table.clock is not None,
        "no clock": game.table.clock is None,
        "a later round": view.rounds > 1,
        "a region declined": view.declines > 0,
        "a later game of a match": view.games > 0,
    }
    yield from (trait for trait, holds in traits.items() if holds)


def _kinds_of_moves(legal: Iterable[Command]) -> set[str]:
    """Return the kinds of moves that are legal, such as `play-card scarecrow take take_from`."""
    kinds = set()
    for command in legal:
        record = command_to_record(command)
        kind, card = record.pop("type"), record.pop("card", "")
        record.pop("seat", None)
        card = "mercenary" if card.startswith("mercenary") else card
        kinds.add(" ".join([kind, *([card] if card else []), *sorted(record)]))
    return kinds
