"""What is kept on the log server: games, lists of them, players and their feeds, who must act, and whom to tell.

Nothing is kept anywhere else. `keys` says where everything lies. The Lua scripts are in `scripts`, and each says which
function runs it. What a commit means is not known here.

Libraries: hiredis, orjson, redis.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from ..config import Config
from .alarms import Alarms
from .answers import Answers
from .bot_seats import BotSeats
from .connection import Server
from .deliveries import Deliveries
from .due import Due
from .durability import Readiness, readiness
from .errors import DamagedData, StoreError
from .feeds import Feeds
from .indexes import Indexes
from .keys import is_game_id, is_player_id
from .layout import LAYOUT, State, number_shards, refusal, states
from .lists import Lists
from .log import Log
from .migration import MIGRATIONS, Migrations, migrate
from .orders import Orders
from .outbox import Outbox
from .players import Players, ask_hours, read_hours
from .presence import Presence, Seen
from .secret import Secret
from .set_aside import GamesSetAside
from .statistics import Statistics
from .turns import Turns
from .waits import RECHECK, Waits
from .webhooks import Webhooks

REMEMBERED = 600.0
"""Seconds for which a damaged key is named that nobody has tried to read again."""


class Store:
    """Everything that is kept; one for each process, made after it was forked. It connects when it is first asked."""

    def __init__(self, config: Config, *, recheck: float = RECHECK, layout: int = LAYOUT) -> None:
        """Take where the server is; `recheck` is the seconds that a lost wake-up costs at most."""
        self._server = Server(config.redis_url, cluster=config.redis_cluster, layout=layout)
        self._stated = config.durability_stated
        self.log = Log(self._server)
        self.lists = Lists(self._server)
        self.feeds = Feeds(self._server)
        self.players = Players(self._server)
        self.due = Due(self._server)
        self.turns = Turns(self._server)
        self.bot_seats = BotSeats(self._server)
        self.statistics = Statistics(self._server)
        self.alarms = Alarms(self._server)
        self.orders = Orders(self._server)
        self.presence = Presence(self._server)
        self.set_aside = GamesSetAside(self._server)
        self.outbox = Outbox(self._server)
        self.webhooks = Webhooks(self._server)
        self.deliveries = Deliveries(self._server)
        self.secret = Secret(self._server)
        self.answers = Answers(self._server)
        self.indexes = Indexes(self._server)
        self.waits = Waits(self._server, config.max_waits, recheck)

    def readiness(self) -> Readiness:
        """Return what is known of the server's promises, and of its layout.

        Two round trips, in a cluster two for each node.
        """
        found = readiness(self._server, stated=self._stated)
        reason = self._reason_of_layout() if found.answers else None
        return found if reason is None else found.refused(reason)

    def layouts(self) -> list[State]:
        """Return the states of the shards that have a number; one round trip. Raises: StoreError."""
        return [state for state in states(self._server.ask_all) if state is not None]

    def check_layout(self) -> None:
        """Do nothing where all shards have this layout; give those without a number theirs. One round trip, or more.

        Raises: OtherLayout, StoreError.
        """
        number_shards(self._server.ask_all, self._server.layout)
        error = refusal(self.layouts(), self._server.layout)
        if error is not None:
            raise error

    def migrate(self, migrations: Migrations = MIGRATIONS) -> Iterator[int]:
        """Bring all shards to this layout, as in `migration`; yield after each batch how many have it."""
        return migrate(self._server, migrations)

    def positions(self, topics: Sequence[str]) -> list[int]:
        """Return how many commits each of some games has, and how many entries the feed of each player among them.

        Two round trips. Raises: StoreUnavailable.
        """
        games, players = ([topic for topic in topics if is_one(topic)] for is_one in (is_game_id, is_player_id))
        found = dict(zip(games, self.log.lengths(games), strict=True))
        found |= dict(zip(players, self.feeds.lengths(players), strict=True))
        return [found[topic] for topic in topics]

    @property
    def damaged(self) -> list[str]:
        """The keys that this process could not read when it last tried, if that was lately."""
        since = time.monotonic() - REMEMBERED
        return sorted(key for key, at in self._server.damaged.items() if at > since)

    def note_damage(self, error: DamagedData) -> None:
        """Remember the key that an error names, if it names one."""
        if error.key is not None:
            self._server.damaged[error.key] = time.monotonic()

    def stops_of(self, player_id: str) -> tuple[Seen, tuple[int, bytes]]:
        """Return what may stop a player's clock: who of the service was seen when, and what `players.hours` returns.

        One round trip, in a cluster one for each of two nodes. Raises: UnknownPlayer, StoreUnavailable.
        """
        seen, (answer,) = self.presence.seen_and_read(ask_hours(player_id))
        return seen, read_hours(player_id, answer)

    def _reason_of_layout(self) -> str | None:
        """Return why the layout keeps this process from writing, None where it does not, as far as is known."""
        try:
            reason: StoreError | None = refusal(self.layouts(), self._server.layout)
        except DamagedData as error:
            reason = error
        except StoreError:
            return None
        return None if reason is None else str(reason)

    def close(self) -> None:
        """End the listener and leave the server."""
        self.waits.close()
        self._server.close()
