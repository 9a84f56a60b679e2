"""The store: all data on the log server, such as games, lists, players, feeds, turns, alarms, orders and webhooks.

No lasting data is stored anywhere else. The `keys` module lists all keys. The Lua scripts are in `scripts`, and each
script names the function that runs it. The store does not interpret commits.

Libraries: cryptography, hiredis, orjson, redis.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from ..config import Config
from .alarms import Alarms
from .answers import Answers
from .audit import Audit
from .blocks import Blocks
from .bot_seats import BotSeats
from .connection import Server
from .current import Current
from .deliveries import Deliveries
from .devices import Devices
from .directory import Directory
from .due import Due
from .durability import Readiness, readiness
from .errors import DamagedData, StoreError
from .facts import Facts
from .feeds import Feeds
from .indexes import Indexes
from .invitations import Invitations
from .keyring import Keyring
from .keys import is_game_id, is_player_id
from .layout import LAYOUT, State, number_shards, refusal, states
from .lists import Lists
from .log import Log
from .migration import MIGRATIONS, Migrations, migrate
from .names import Names
from .orders import Orders
from .outbox import Outbox
from .players import Players, ask_hours, read_hours
from .presence import Presence, PresenceState
from .read_only import ReadOnly
from .reports import Reports
from .sealing import Sealing
from .secret import Secret
from .set_aside import GamesSetAside
from .statistics import Statistics
from .switches import Switches
from .tables import Tables
from .talk import Talk, lists_of
from .turns import Turns
from .vapid import Vapid
from .waits import RECHECK, Waits
from .webhooks import Webhooks

DAMAGE_SECONDS = 600.0
"""Seconds for which a damaged key is reported after this process last tried to read it."""


class Store:
    """All of the service's data. Each process must create its own store after being forked. A store connects on first
    use.
    """

    def __init__(self, config: Config, *, recheck: float = RECHECK, layout: int = LAYOUT) -> None:
        """Use the server that `config` names.

        Waiting requests also check the data every `recheck` seconds, in case a message that should wake them is lost.
        """
        self._server = Server(config.redis_url, cluster=config.redis_cluster, layout=layout)
        self._stated = config.durability_stated
        self.keyring = Keyring(config.secret_keys)
        self.log = Log(self._server)
        self.lists = Lists(self._server)
        self.feeds = Feeds(self._server)
        self.players = Players(self._server, self.keyring)
        self.names = Names(self._server)
        self.devices = Devices(self._server, self.keyring)
        self.tables = Tables(self._server, self.keyring)
        self.invitations = Invitations(self._server)
        self.directory = Directory(self._server)
        self.due = Due(self._server)
        self.turns = Turns(self._server)
        self.current = Current(self._server)
        self.bot_seats = BotSeats(self._server)
        self.statistics = Statistics(self._server)
        self.alarms = Alarms(self._server)
        self.orders = Orders(self._server)
        self.presence = Presence(self._server)
        self.facts = Facts(self._server)
        self.set_aside = GamesSetAside(self._server)
        self.outbox = Outbox(self._server)
        self.talk = Talk(self._server)
        self.talk_outbox = Outbox(self._server, "talk-outbox")
        self.blocks = Blocks(self._server)
        self.reports = Reports(self._server)
        self.webhooks = Webhooks(self._server, self.keyring)
        self.deliveries = Deliveries(self._server, self.keyring)
        self.secret = Secret(self._server)
        self.vapid = Vapid(self._server, self.keyring)
        self.answers = Answers(self._server)
        self.indexes = Indexes(self._server)
        self.sealing = Sealing(self._server, self.keyring, self.indexes)
        self.audit = Audit(self._server)
        self.switches = Switches(self._server)
        self.read_only = ReadOnly(self._server)
        self.waits = Waits(self._server, config.max_waits, self.names.forget, recheck)

    def readiness(self) -> Readiness:
        """Return whether the server accepts writes and stores them durably, and whether its data have this version's
        layout.

        Takes two round trips, or two for each node in a cluster.
        """
        result = readiness(self._server, stated=self._stated)
        reason = self._reason_of_layout() if result.answers else None
        return result if reason is None else result.with_refusal(reason)

    def layouts(self) -> list[State]:
        """Return the layout states of the shards that have a layout number. Takes one round trip.

        Raises: StoreError.
        """
        return [state for state in states(self._server.ask_all) if state is not None]

    def check_layout(self) -> None:
        """Check that all shards have this version's layout. Shards without a layout number get one.

        Takes at least one round trip. Raises: OtherLayout, StoreError.
        """
        number_shards(self._server.ask_all, self._server.layout)
        error = refusal(self.layouts(), self._server.layout)
        if error is not None:
            raise error

    def migrate(self, migrations: Migrations = MIGRATIONS) -> Iterator[int]:
        """Migrate all shards to this layout (see `migration`). Yield the number of migrated shards after each batch."""
        return migrate(self._server, migrations)

    def positions(self, topics: Sequence[str]) -> list[int]:
        """Return the position of each topic. For a game, the position is the number of its commits. For a player, the
        position is the number of entries in the player's feed.

        Takes two round trips. Raises: StoreUnavailable.
        """
        games, players = ([topic for topic in topics if is_one(topic)] for is_one in (is_game_id, is_player_id))
        lengths = dict(zip(games, self.log.lengths(games), strict=True))
        lengths |= dict(zip(players, self.feeds.lengths(players), strict=True))
        return [lengths[topic] if topic in lengths else self._talk_position(topic) for topic in topics]

    def _talk_position(self, topic: str) -> int:
        """Return the number of messages in a game's talk that a reader may read.

        If the topic is not about a game's talk, return 0. Otherwise, this method takes one round trip.
        """
        game, _, reader = topic.partition(":")
        if not is_game_id(game):
            return 0
        table, private, spectators = lists_of(game, reader)
        return sum(self.talk.lengths([table, private if is_player_id(reader) else spectators]))

    @property
    def damaged(self) -> list[str]:
        """The keys that this process has failed to read within the last `DAMAGE_SECONDS`."""
        since = time.monotonic() - DAMAGE_SECONDS
        return sorted(key for key, at in self._server.damaged.items() if at > since)

    def note_damage(self, error: DamagedData) -> None:
        """If an error names a damaged key, remember the key."""
        if error.key is not None:
            self._server.damaged[error.key] = time.monotonic()

    def stops_of(self, player_id: str) -> tuple[PresenceState, tuple[int, bytes]]:
        """Return the data that determine when a player's clock stops: when each part of the service was last running,
        the service's outages, and the player's hours.

        The hours have the form that `players.hours` returns. Takes one round trip, or at most two in a cluster. Raises:
        UnknownPlayer, StoreUnavailable.
        """
        presence, (answer,) = self.presence.read_with(ask_hours(player_id))
        return presence, read_hours(player_id, answer)

    def _reason_of_layout(self) -> str | None:
        """Return the reason why the store's layout prevents this process from writing.

        Returns None if the process may write, or if the layout cannot be read.
        """
        try:
            reason: StoreError | None = refusal(self.layouts(), self._server.layout)
        except DamagedData as error:
            reason = error
        except StoreError:
            return None
        return None if reason is None else str(reason)

    def close(self) -> None:
        """Stop the listener and close the connections."""
        self.waits.close()
        self._server.close()
