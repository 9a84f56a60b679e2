"""Random weeks: many games of every kind at the same time, whose players do everything that is allowed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

from engine import NEWEST, Refusal
from service.clocks.nights import WEEKDAYS, Habits
from service.clocks.settings import AT_TIMEOUT, BOT, OPEN_SEAT, ClockSettings
from service.games.game import Game
from service.games.table import OPEN, RUNNING
from service.orders import changing, following
from service.play import absence, consent, seating
from service.problems import Problem
from service.timekeeping import vacations

from ..correspondence.weeks import DAY, HOUR, MINUTE, Weeks, bank, per_move

HABITS = [Habits("Europe/Rome", ("23:00", "07:00")), Habits("Australia/Hobart", ("21:30", "08:00")), Habits()]
ORDERS = [
    {"after_battle": "keep", "battle": None},
    {"after_battle": "keep", "battle": {"type": "pass"}},
    {"after_battle": None, "battle": {"type": "pass"}},
    {"after_battle": "discard", "battle": None},
    {"after_battle": None, "battle": None},
]


class RandomWeeks:
    """Players who open and play games, forget them, pause, leave, resign and come back, at random."""

    def __init__(self, weeks: Weeks, seed: int, players: int = 7) -> None:
        """Register the players."""
        self.weeks, self.random = weeks, Random(seed)
        self.players = [
            weeks.player(f"Player-{n}", HABITS[n % 3], saved=self.random.randrange(3) * DAY, auto=n == 0)
            for n in range(players)
        ]
        self.games: list[str] = []
        self.done = Counter[str]()
        """How often each allowed action happened."""
        self.tried = set[str]()

    def open_every_kind(self) -> None:
        """Open a game of each edition with each number of seats, and with each option turned on."""
        for key, edition in NEWEST.items():
            for seats in range(edition.fewest_seats, edition.most_seats + 1):
                self.open(key, seats, {})
            for option in edition.options:
                for value in () if isinstance(option.values, range) else option.values:
                    if value != option.default:
                        self.open(key, 2 if option.key.startswith("two") else edition.most_seats, {option.key: value})

    def open(self, edition: str, seats: int, options: dict[str, Any]) -> str:
        """Open a game with any clock or none, some bots, and some free seats."""
        random, (owner, *others) = self.random, self.random.sample(self.players, 6)
        people = random.randint(0 if random.random() < 0.2 else 1, seats)
        bots = {seat: random.choice(["steady", "random"]) for seat in range(people, seats)}
        start = "owner" if random.random() < 0.2 else "auto"
        opening = seating.Opening(
            edition, {"battle_limit": 6, **options}, seats, bots, start, random.randbytes(8), None, self._clock()
        )
        game = seating.open_game(self.weeks.games, owner, opening).game.id
        for player in others[: max(0, people - random.choice([1, 1, 1, 2]))]:
            with suppress(Problem):
                seating.join(self.weeks.games, game, player, None, b"")
        self.games.append(game)
        return game

    def step(self) -> None:
        """Let something happen in a game."""
        random = self.random
        game = self.weeks.look(random.choice(self.games))
        paused = game.table.clock is not None and game.table.clock.paused is not None
        if game.status == OPEN:
            self._before(game)
        elif game.status == RUNNING and not paused and random.random() < 0.7:
            self._turn(game)
        elif game.status == RUNNING:
            self._whatever_may_be(game)

    def _clock(self) -> ClockSettings | None:
        random, more = self.random, dict[str, Any]()
        if random.random() < 0.25:
            return None
        more = {"at_timeout": random.choice([*AT_TIMEOUT, BOT, OPEN_SEAT]), "misses": random.choice([1, 1, 2])}
        more |= {"sleep_hours": random.random() < 0.5, "vacation": random.random() < 0.5}
        more["days_off"] = tuple(random.sample(WEEKDAYS, random.randrange(3)))
        return random.choice([per_move(random.choice([3_600, 43_200]), **more), bank(43_200, 7_200, 86_400, **more)])

    def _before(self, game: Game) -> None:
        games, who = self.weeks.games, self.random.choice(self.players)
        asks = {
            "join": lambda: seating.join(games, game.id, who, None, b""),
            "leave": lambda: seating.leave(games, game.id, who),
            "start": lambda: seating.start_game(games, game.id, game.table.opened.owner),
        }
        self._try(*self.random.choice([*asks.items()]))

    def _turn(self, game: Game) -> None:
        weeks = self.weeks
        if game.bot_to_act() is not None:
            weeks.bots_move(game.id)
        elif game.player_to_act() is not None and not following.follow(weeks.games, game.id):
            weeks.move(game.id, self.random.randrange(1000))
            self.done["move"] += 1
        else:
            self.done["order"] += 1

    def _whatever_may_be(self, game: Game) -> None:
        games, random, now = self.weeks.games, self.random, self.weeks.now
        who = random.choice([*game.table.players(), *game.table.players(), *self.players])
        away = [seat.player for seat in game.table.seats if seat.given_at is not None and seat.player is not None]
        others = [player for player in game.table.players() if player != game.player_to_act()]
        asks = {
            "orders": lambda: changing.put(games, game.id, who, random.choice(ORDERS), None),
            "vacation": lambda: vacations.go_on_vacation(games, who, now + random.randrange(1, 3) * DAY),
            "come back": lambda: vacations.come_back(games, who),
            "pause": lambda: [consent.ask_for_pause(games, game.id, player) for player in game.table.players()],
            "resume": lambda: consent.resume(games, game.id, who),
            "extension": lambda: consent.ask_for_extension(games, game.id, game.player_to_act() or who, 600),
            "grant": lambda: [consent.grant_extension(games, game.id, other, 600) for other in others],
            "take back": lambda: absence.take_back(games, game.id, random.choice([*away, who])),
            "substitute": lambda: seating.join(games, game.id, random.choice(self.players), None, b""),
            "resign": lambda: absence.resign(games, game.id, who) if random.random() < 0.3 else None,
        }
        clock = game.table.clock
        apt = [
            ("take back", away),
            ("substitute", game.table.free_seats),
            ("grant", clock is not None and clock.extension),
            ("resume", clock is not None and clock.paused),
        ]
        wanted = [name for name, answers in apt if answers and random.random() < 0.5] or [*asks]
        name = random.choice(wanted)
        self._try(name, asks[name])

    def _try(self, name: str, ask: Any) -> None:
        """Do something that may be allowed; if it is refused, nothing changes."""
        with suppress(Problem, Refusal):
            ask()
            self.done[name] += 1
        self.tried.add(name)

    def time_passes(self) -> None:
        """Let minutes or hours pass; sometimes the service is down meanwhile."""
        if self.random.random() < 0.05:
            self.weeks.down(self.weeks.now + self.random.randrange(2 * MINUTE, DAY))
            self.weeks.round()
        else:
            self.weeks.run(self.weeks.now + self.random.randrange(12 * HOUR))

    def statuses(self) -> Counter[str]:
        """Return how many games have each status."""
        return Counter(self.weeks.game(game).status for game in self.games)

    def live(self, rounds: int) -> None:
        """Let much happen, with time passing in between. Finally open another game of each kind."""
        self.open_every_kind()
        for _ in range(rounds):
            for _ in range(40):
                self.step()
            self.time_passes()
        self.open_every_kind()
