"""Record games again: `python -m tests.games`, or only those of the given revisions (`zman-2018@2`).

Games of a released revision never change: they prove that the engine still plays the revision in the same way.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, product

from engine import BadOption, Edition, Option, edition
from engine.bots import BOTS

from ..releases import unreleased
from .files import FOLDER, REVISIONS, Origin, Player, Recorded, named, record, write
from .plans import plan_for, spend
from .ways import way_of, ways

GAMES = 10
"""The number of bot games for each number of seats."""

FEWEST = 50
"""The minimum number of bot games for each edition, even if it supports only a few numbers of seats."""

LONGEST = 160
"""The maximum number of commits in a recorded bot game; a longer game is replaced by one with another seed."""

TABLES = (("random", "steady"), ("steady",), ("random",))
"""The players of bot games: these bots, assigned to the seats in rotation."""

SHORT = {"battle_limit": 10, "points": 5}
"""Non-default values for options with a range."""

Options = Mapping[str, object]


def main(names: Sequence[str]) -> None:
    """Write the games of these revisions, or of all that have not been released."""
    for name in unreleased(names):
        value, folder = REVISIONS[name], FOLDER / name
        for old in folder.glob("*.jsonl"):
            old.unlink()
        for title, game in (*games_of_bots(value), *games_that_end(value)):
            write(folder / f"{title}.jsonl", game)
        files = list(folder.glob("*.jsonl"))
        print(f"{name}: {len(files)} games, {sum(file.stat().st_size for file in files) // 1000} kB")


def choices(option: Option) -> Sequence[object]:
    """Return the values of an option that the games use, the default first."""
    values = [SHORT[option.key]] if isinstance(option.values, range) else list(option.values)
    return [option.default, *(value for value in values if value != option.default)]


def combinations(value: Edition) -> list[Options]:
    """Return every allowed combination of options."""
    allowed: list[Options] = []
    for values in product(*map(choices, value.options)):
        options = {option.key: v for option, v in zip(value.options, values, strict=True) if v != option.default}
        try:
            edition(value.key, value.revision, options)
        except BadOption:
            continue
        allowed.append(options)
    return allowed


def origin(value: Edition, seats: int, options: Options, name: str, players: Sequence[str]) -> Origin:
    """Return what a game is made from; its name determines the chance."""
    seed = hashlib.sha256(f"{named(value)} {name}".encode()).hexdigest()
    entropies = [hashlib.sha256(f"{name} {seat}".encode()).hexdigest()[: 8 * (seat % 3)] for seat in range(seats)]
    return Origin(value.key, seats, options, seed, entropies, players, value.revision)


def games_of_bots(value: Edition) -> Iterator[tuple[str, Recorded]]:
    """Yield bot games for every number of seats, going through the options in order."""
    by_seats: dict[int, list[Options]] = {}
    for options in combinations(value):
        played = edition(value.key, value.revision, options)
        for seats in range(played.fewest_seats, played.most_seats + 1):
            by_seats.setdefault(seats, []).append(options)
    games = max(GAMES, -(-FEWEST // len(by_seats)))
    for seats, several in by_seats.items():
        for number in range(games):
            # Spread the games over all combinations, for any number of seats.
            options = several[(number * len(several) // games + seats * 7) % len(several)] if number else several[0]
            bots = TABLES[number % len(TABLES)]
            players = [bots[(seat + number) % len(bots)] for seat in range(seats)]
            name = f"bots-{seats}-{number:02}"
            yield name, game_of_bots(value, seats, options, name, players)


def game_of_bots(value: Edition, seats: int, options: Options, name: str, players: Sequence[str]) -> Recorded:
    """Return the first game of these bots, trying one seed after another, that is short enough."""
    attempts = (
        record(origin(value, seats, options, f"{name} {attempt}", players), [BOTS[key].choose for key in players])
        for attempt in count()
    )
    return next(game for game in attempts if len(game.commits) <= LONGEST)


def games_that_end(value: Edition) -> Iterator[tuple[str, Recorded]]:
    """Yield a game for each way of ending, at every number of seats and once with each option that is not printed."""
    for seats, options, way in wanted(value):
        named = "".join(f"-{key}={str(choice).lower()}" for key, choice in options.items())
        yield (
            f"end-{seats}-{way.replace('/', '-').replace(':', '-')}{named}",
            game_that_ends(value, seats, options, way),
        )


def wanted(value: Edition) -> Iterator[tuple[int, Options, str]]:
    """Yield the number of seats, the non-default option, and the way of ending of each required game."""
    for seats in range(value.fewest_seats, value.most_seats + 1):
        for way in ways(value, seats):
            yield seats, {}, way
    for option in value.options:
        if option.key == "battle_limit":
            continue
        for choice in choices(option)[1:]:
            yield from _wanted_with(option.key, edition(value.key, value.revision, {option.key: choice}))


def _wanted_with(key: str, value: Edition) -> Iterator[tuple[int, Options, str]]:
    options = {key: value.chosen[key]}
    shown: set[str] = set()
    everywhere = key == "points"
    for seats in range(value.fewest_seats, value.most_seats + 1):
        for way in ways(value, seats):
            if everywhere or way not in shown:
                shown.add(way)
                yield seats, {} if everywhere else options, way


def game_that_ends(value: Edition, seats: int, options: Options, way: str) -> Recorded:
    """Return the first game of a plan, trying one seed after another, that ends in this way."""
    nearer, plan = plan_for(way, edition(value.key, value.revision, options), seats)
    player: Player = spend if way.startswith("out-of-cards") else plan
    who = "spend" if player is spend else "plan"
    for attempt in count():
        name = f"{way} {sorted(options)} {seats} {attempt}"
        made_from = origin(value, seats, {**options, **nearer}, name, [who] * seats)
        game = record(made_from, [player] * seats)
        if way_of(game.commits[-1][-1]) == way:
            return game
        assert attempt < 2000, f"{value.key} {seats} {options} does not end as {way}"
    raise AssertionError


if __name__ == "__main__":
    main(sys.argv[1:])
