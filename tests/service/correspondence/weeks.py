"""Simulated weeks: a service whose time the test sets, with players who act as the test says.

Nothing waits. Time jumps to the next moment at which the clock process must check a game, or to a moment that the test
chooses. The service counts as running between two jumps, unless the test says that it was down.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine import command_to_record, legal_commands
from service.clocks import hours as form
from service.clocks.hours import Hours
from service.clocks.nights import Habits
from service.clocks.settings import BANK, PASS, PER_MOVE, ClockSettings
from service.clocks.vacation import Vacation
from service.games.game import Game
from service.games.repository import Games, load, new_key
from service.play.moves import Move, move, play_bot_turn
from service.play.seating import Opening, join, open_game
from service.store import keys
from service.timekeeping import availability as hours_use
from service.timekeeping.deadlines import current
from service.timekeeping.rounds import Timekeeper

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
MONDAY = 1_805_673_600_000
"""2027-03-22 00:00 UTC, the Monday before Europe's clocks are put forward."""
DEFAULTS = ClockSettings(PER_MOVE, 86_400, 0, 0, (), True, True, PASS, 1, "steady")


def per_move(seconds: int = 86_400, **more: Any) -> ClockSettings:
    """Return a clock that gives `seconds` for each move."""
    return DEFAULTS._replace(seconds=seconds, **more)


def bank(seconds: int = 86_400, increment: int = 14_400, cap: int = 259_200, **more: Any) -> ClockSettings:
    """Return a clock with banks."""
    return DEFAULTS._replace(kind=BANK, seconds=seconds, increment=increment, cap=cap, **more)


@dataclass
class Weeks:
    """A service and its time."""

    games: Games
    time: list[int]
    timekeeper: Timekeeper = field(init=False)

    def __post_init__(self) -> None:
        """Start the timekeeper."""
        self.timekeeper = Timekeeper(self.games)

    @property
    def now(self) -> int:
        """The current time, in ms since the epoch."""
        return self.time[0]

    # Players

    def player(self, name: str, habits: Habits | None = None, saved: int = 0, *, auto: bool = False) -> str:
        """Return the id of a new player."""
        player, _ = self.games.store.players.register(name)
        self.hours(player.id, Hours(habits or Habits(), Vacation(saved, self.now), auto))
        return player.id

    def hours(self, player: str, hours: Hours) -> None:
        """Set a player's hours."""
        _, before = self.games.store.players.hours(player)
        assert self.games.store.players.change_hours(player, before, form.dumps(hours))

    def hours_of(self, player: str) -> Hours:
        """Return a player's hours."""
        return hours_use.hours_of(self.games, player)

    # Games

    def open(
        self,
        clock: ClockSettings | None,
        *players: str,
        edition: str | None = None,
        options: dict[str, Any] | None = None,
        seats: int | None = None,
    ) -> str:
        """Open a game of these players, with bots in the remaining seats; it starts immediately."""
        number = len(players) if seats is None else seats
        bots = dict.fromkeys(range(len(players), number), "random")
        edition = edition or ("zman-2018-duel" if number == 2 else "zman-2018")
        opening = Opening(edition, options or {}, number, bots, "auto", b"", None, clock)
        game = open_game(self.games, players[0], opening).game
        for player in players[1:]:
            join(self.games, game.id, player, None, b"")
        return game.id

    def game(self, game_id: str) -> Game:
        """Return a game, loaded from its log."""
        return load(self.games, game_id)

    def look(self, game_id: str) -> Game:
        """Return a game as a request sees it, after recording timeouts."""
        return current(self.games, game_id)

    def move(self, game_id: str, choice: int = 0) -> None:
        """Let the player whose turn it is make one of the legal moves."""
        game = self.look(game_id)
        player = game.player_to_act()
        assert game.state is not None
        assert player is not None
        legal = legal_commands(game.state)
        record = command_to_record(legal[choice % len(legal)])
        move(self.games, game_id, player, Move(record, frozenset((game.version,)), new_key()))

    def bots_move(self, game_id: str) -> None:
        """Let bots move for as long as it is a bot's turn."""
        while play_bot_turn(self.games, game_id):
            pass

    # Time

    def jump(self, to: int) -> None:
        """Jump to a time. Nothing has happened since the last jump, but the service was running."""
        assert to >= self.now
        self.time[0] = to
        self.games.store.presence._server.ask("HSET", keys.of_shard(0, "presence"), "clock", to - SECOND)

    def down(self, until: int) -> None:
        """Jump to a time; the service was down from now until then."""
        self.timekeeper.round()
        self.time[0] = until
        self.timekeeper = Timekeeper(self.games)

    def next_look(self) -> int | None:
        """Return when the clock must check a game next, or None for never."""
        server = self.games.store.alarms._server
        found = [
            int(float(answer[1]))
            for shard in range(keys.SHARDS)
            if (answer := server.ask("ZRANGE", keys.of_shard(shard, "looks"), 0, 0, "WITHSCORES"))
        ]
        return min(found, default=None)

    def run(self, until: int) -> None:
        """Let time pass, with the clock process running."""
        while True:
            at = self.next_look()
            if at is None or at > until:
                break
            self.jump(max(at, self.now))
            self.round()
        self.jump(until)
        self.round()

    def round(self) -> None:
        """Let the clock process run until it has nothing more to do now."""
        while self.timekeeper.round():
            pass
