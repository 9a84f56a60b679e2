"""Write logs of the current format: `python -m tests.logs`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from service.config import Config
from service.games.game import Game
from service.games.repository import Games
from service.games.table import RUNNING
from service.hints.queue import Hints
from service.store import Store, formats
from service.store.keys import of_game

from ..releases import RELEASES
from ..service.correspondence.weeks import HOUR, MONDAY, Weeks
from ..service.rebuild.random_weeks import RandomWeeks
from ..service.servers import DURABLE, Valkey
from .files import Stored, folder_of, show, write

ROUNDS = 30
"""The length of the simulated weeks."""
LONGEST = 60
"""The maximum number of commits in a log."""


def main() -> None:
    """Write the logs of the current format, unless a release has written them."""
    number = formats.FORMAT
    if any(release.format >= number for release in RELEASES) and folder_of(number).exists():
        sys.exit(f"format {number} was released: its logs were written by that release and must not change")
    for old in folder_of(number).glob("*.log"):
        old.unlink()
    with TemporaryDirectory(prefix="logs-") as name:
        server = Valkey(Path(name), *DURABLE)
        config, time = Config(redis_url=server.url, queue_url=server.url), [MONDAY + 12 * HOUR]
        store, hints = Store(config), Hints(config)
        week = RandomWeeks(Weeks(Games(store, hints, now=lambda: time[0]), time), seed=1)
        week.live(ROUNDS)
        kept = list(_chosen([week.weeks.game(game) for game in week.games]))
        for game in kept:
            rows = store.log._server.ask("LRANGE", of_game(game.id, "log"), 0, -1)
            write(folder_of(number) / f"{game.id}.log", Stored(game.id, game.seed, rows, show(game)))
        store.close()
        hints.close()
        server.stop()
    print(f"format {number}: {len(kept)} games, {sum(game.version for game in kept)} commits")


def _chosen(games: Sequence[Game]) -> Iterator[Game]:
    """Yield games that are not too long and that together contain all types of event, for every edition.

    The game that adds the most types comes first. Running games count as a separate kind, because tests play them on.
    """
    traits = {game.id: _traits(game) for game in games if game.version <= LONGEST}
    seen: set[tuple[str, ...]] = set()
    while traits:
        best = max(traits, key=lambda game: (len(traits[game] - seen), game))
        if traits[best] <= seen:
            return
        seen |= traits.pop(best)
        yield next(game for game in games if game.id == best)


def _traits(game: Game) -> set[tuple[str, ...]]:
    edition = game.table.opened.edition
    types = {record["type"] for commit in game.commits for record in commit["events"]}
    return {(name,) for name in types} | {(edition, game.status), (edition, str(game.status == RUNNING))}


if __name__ == "__main__":
    main()
