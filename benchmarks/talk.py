"""Talk: what a message costs compared with a move of the same game, and what a feed costs with and without messages.

* Matches are stored in the state after 400 events. Each move and each message is removed again, so that every request
  sees the same log and the same messages.
* For the feed, a player has a page of commits in one game, and messages in several shards. The player requests this
  page, and the empty page after the end of the feed, each with and without messages.
* The app runs in this process, without a gateway, and one thread sends the requests. The kinds of request alternate in
  blocks, in a changing order. The CPU time is that of the thread. It does not include the log server's CPU time, and
  other work on the machine hardly affects it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import orjson
import redis
from flask.testing import FlaskClient

from service import create_app
from service.config import Config
from service.games.repository import Games
from service.processes.embedded import EmbeddedServer
from service.store import Store, keys
from service.store.feed_shards import shards_key
from service.store.feeds import START, append_to_feeds
from service.store.log import Addition
from service.talk.rooms import TABLE
from service.talk.sending import send

from .recording import SEATS, Recording, matches
from .report import OnProgress, Row, Section

EVENTS = 400
MATCHES = 8
BLOCKS, QUICK_BLOCKS = 40, 8
BLOCK = 40
"""The number of requests of one kind before those of the next kind. The first block is a warm-up."""
COMMITS, SHARDS = 20, 5
"""The number of commits on the page of the feed, and of shards in which the player has messages."""
GOAL = 1.1
"""The maximum ratio of a feed with messages to the same feed without messages."""

MOVE, MESSAGE = "a move", "a message to the table"
PAGE, PAGE_WITH, END, END_WITH = "a page of the feed", "a page with talk", "nothing new", "nothing new with talk"
Ask = Callable[[int], None]


class Table(NamedTuple):
    """A stored match, after some events."""

    game: str
    recording: Recording
    length: int

    @property
    def player(self) -> str:
        """The player whose turn it is."""
        player: str = self.recording.commits[self.length]["by"]
        return player


class Client:
    """Sends the players' requests, and undoes their effects."""

    def __init__(self, client: FlaskClient, server: redis.Redis, tokens: Mapping[str, str]) -> None:
        """`client` sends requests to the app, `server` is the log server, and `tokens` are the players' tokens."""
        self._client = client
        self._server = server
        self._tokens = tokens

    def ask(self, player: str, method: str, path: str, body: bytes | None = None, **headers: str) -> Any:
        """Send a request, and return the JSON of the response."""
        sent = {"Authorization": f"Bearer {self._tokens[player]}", "Content-Type": "application/json", **headers}
        answer = self._client.open(f"/v1{path}", method=method, data=body, headers=sent)
        if answer.status_code not in (200, 201):
            raise RuntimeError(f"{method} {path} responds with {answer.status_code}: {answer.text[:500]}")
        return orjson.loads(answer.data)

    def move(self, tables: Sequence[Table], number: int) -> None:
        """Make the next move of a game, and undo it."""
        table = tables[number % len(tables)]
        move = orjson.dumps(table.recording.moves[table.length - 1].record)
        self.ask(table.player, "POST", f"/games/{table.game}/moves", move, **{"If-Match": f'"{table.length}"'})
        self._server.ltrim(keys.of_game(table.game, "log"), 0, table.length - 1)

    def say(self, tables: Sequence[Table], number: int) -> None:
        """Write a message to the table, and remove it."""
        table = tables[number % len(tables)]
        self.ask(table.player, "POST", f"/games/{table.game}/talk", b'{"text": "I will leave Roma to you."}')
        self._server.delete(*(keys.of_game(table.game, kind) for kind in ("talk", f"talk-{TABLE}", "talk-sent")))

    def read(self, player: str, after: str, talk: str, _: int) -> None:
        """Read a player's feed."""
        self.ask(player, "GET", f"/me/events?after={after}&talk={talk}")


def measure(quick: bool, on_progress: OnProgress) -> Section:
    """Measure messages compared with moves, and feeds with and without messages."""
    with TemporaryDirectory(prefix="condottiere-") as name, ExitStack() as stack:
        server = stack.enter_context(EmbeddedServer(Path(name) / "log"))
        raw = stack.enter_context(redis.Redis.from_url(server.url))
        app = create_app(Config(redis_url=server.url, queue_url=server.url, limits=False))
        games: Games = app.extensions["condottiere"]
        stack.enter_context(closing(games.store))
        players, tokens = zip(*(games.store.players.register(f"Match-{seat}") for seat in range(SEATS)), strict=True)
        recorded = matches(MATCHES, EVENTS, [player.id for player in players])
        tables = [_stored(raw, games.store, one) for one in recorded]
        ids = [player.id for player in players]
        client = Client(app.test_client(), raw, dict(zip(ids, tokens, strict=True)))
        blocks = QUICK_BLOCKS if quick else BLOCKS
        # Feeds are measured first, because moves leave alarms that every later request would check.
        feeds = _feeds(games, raw, client, tables[0].game, ids[0])
        times = _times(feeds, blocks, lambda part: on_progress(part / 2))
        writes: dict[str, Ask] = {MOVE: partial(client.move, tables), MESSAGE: partial(client.say, tables)}
        times |= _times(writes, blocks, lambda part: on_progress((1 + part) / 2))
    return Section(
        title="Talk",
        how=(
            f"The CPU time of the app for a message, compared with a move of the same game, after {EVENTS} events; "
            f"and for a page of a feed with {COMMITS} commits and for a feed with nothing new, each with messages "
            f"and without. Compared requests are made alternately. The player has messages in {SHARDS} other shards."
        ),
        columns=("", "Measured", "Compared with", "Ratio", "Ratio per block"),
        rows=tuple(_rows(times)),
    )


def _stored(server: redis.Redis, store: Store, recording: Recording) -> Table:
    game_id, length = keys.new_game_id(), recording.commits_with(EVENTS)
    store.log.append(Addition(game=game_id, expected=0, commit=recording.commits[0], seed=recording.seed))
    server.rpush(keys.of_game(game_id, "log"), *recording.rows[1:length])
    return Table(game_id, recording, length)


def _feeds(games: Games, server: redis.Redis, client: Client, game: str, reader: str) -> dict[str, Ask]:
    """Fill a player's feed, and return the requests that read it.

    The pages have the same commits, and one has a message.
    """
    for seq in range(1, COMMITS + 1):
        for command in append_to_feeds(game, seq, [reader]):
            server.execute_command(*command)  # type: ignore[no-untyped-call]
    for shard in range(SHARDS):
        server.sadd(shards_key(reader), shard)
        server.rpush(keys.of_shard(shard, f"talk-feed:{reader}"), f"{game} {keys.new_message_id()}")
    send(games, game, reader, TABLE, [], "Good morning")
    end = client.ask(reader, "GET", "/me/events?after=now&talk=true")["next"]
    page = client.ask(reader, "GET", f"/me/events?after={START}&talk=true")
    assert (len(page["commits"]), len(page["messages"])) == (COMMITS, 1)
    cursors = {PAGE: (START, "false"), PAGE_WITH: (START, "true"), END: (end, "false"), END_WITH: (end, "true")}
    return {kind: partial(client.read, reader, *cursor) for kind, cursor in cursors.items()}


def _times(kinds: Mapping[str, Ask], blocks: int, on_progress: OnProgress) -> dict[str, list[float]]:
    """Return, for each kind of request, the CPU time per request (ms) in each block."""
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    names = list(kinds)
    for number in range(blocks + 1):
        first = number % len(names)
        for kind in names[first:] + names[:first]:
            before = time.thread_time()
            for request in range(BLOCK):
                kinds[kind](request)
            found[kind] += [1000 * (time.thread_time() - before) / BLOCK] if number else []
        on_progress((number + 1) / (blocks + 1))
    return found


def _rows(times: Mapping[str, list[float]]) -> Iterator[Row]:
    """Yield rows with the medians of all blocks, their ratio, and the range of the single blocks' ratios."""
    for kind, beside, goal in ((MESSAGE, MOVE, None), (PAGE_WITH, PAGE, GOAL), (END_WITH, END, GOAL)):
        measured, other = median(times[kind]), median(times[beside])
        ratios = [one / two for one, two in zip(times[kind], times[beside], strict=True)]
        between = f"{min(ratios):.2f} to {max(ratios):.2f}"
        cells = (kind, f"{measured:.2f} ms", f"{other:.2f} ms {beside}", f"{measured / other:.2f}", between)
        yield Row(cells) if goal is None else Row(cells, f"≤ {goal:g} times", measured / other <= goal)
