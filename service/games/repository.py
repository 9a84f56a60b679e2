"""The repository: loads a game from its log, and appends a change and its projections in one step."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..config import Config, Mail, Networks
from ..hints.fair import Hint
from ..hints.queue import Hints
from ..idempotency import Attempt, key_reused
from ..metrics.table import REPLAY_SECONDS
from ..problems import Problem, shown
from ..store import Store
from ..store.connection import ReadAhead
from ..store.errors import CorruptLog
from ..store.log import Addition
from ..store.transport import Command
from ..store.webhooks import MAX_WEBHOOKS
from .changes import Change
from .commits import to_record
from .game import Game, Snapshot, rebuild
from .projections import PROJECTIONS

ATTEMPTS = 8
"""How many times a request tries to change a game while other requests keep appending to the same game."""
Seen = frozenset[int] | None
"""The versions of the game that a request allows, as in If-Match. None allows any version."""


class Answer(NamedTuple):
    """A game as it was after a request. `repeated` says whether the request repeats an earlier request."""

    game: Snapshot
    repeated: bool


class ByOrders(NamedTuple):
    """The standing orders that make a move for a seat.

    `orders` are the stored orders as they were read. `writes` are the commands that store the remaining orders after
    the move.
    """

    seat: int
    orders: bytes
    writes: Sequence[Command]


class Caps(NamedTuple):
    """The caps for each player: on open games that the player owns, on open and running games, and on webhooks.

    None means that there is no cap.
    """

    open_games: int | None = None
    games: int | None = None
    webhooks: int | None = MAX_WEBHOOKS


@dataclass(frozen=True)
class Games:
    """The games of one service: their store, the queue of hints for workers, and the clock (ms since the epoch).

    `networks` are the private networks that webhooks may send to. `caps` limits what each player may have. If
    `test_clock` is true, a game's owner may advance the game's clock. `public_url` is the URL at which players reach
    the service, without a trailing slash, or "" if no such URL is set. `talk` says whether people may write to each
    other. `mail` is None if the service sends no e-mail.
    """

    store: Store
    hints: Hints
    now: Callable[[], int] = field(default=lambda: time.time_ns() // 1_000_000)
    networks: Networks = ()
    caps: Caps = field(default_factory=Caps)
    test_clock: bool = False
    public_url: str = ""
    talk: bool = True
    mail: Mail | None = None


def caps_of(config: Config) -> Caps:
    """Return the caps in the settings. There are no caps if the settings turn limits off."""
    if not config.limits:
        return Caps(webhooks=None)
    return Caps(config.max_open_games, config.max_games, config.max_webhooks)


def load(games: Games, game_id: str, ahead: ReadAhead | None = None) -> Game:
    """Return a game rebuilt from its log. If the log cannot be read, set the game aside.

    `ahead` is the log, if it was already read together with the caller's token. The first load uses `ahead`, and later
    loads reread the log. Raises: Problem (unknown-game), CorruptLog (including UnknownFormat).
    """
    try:
        stored = games.store.log.load(game_id, ahead)
        if stored is not None:
            start = time.perf_counter()
            game = rebuild(stored.commits, stored.seed)
            REPLAY_SECONDS.observe(time.perf_counter() - start)
            return game
    except CorruptLog as error:
        games.store.set_aside.note(game_id, error, games.now())
        raise
    raise unknown_game(game_id)


def unknown_game(game_id: str) -> Problem:
    """Return the problem for a game that does not exist, or that is private and hidden from the caller."""
    return Problem("unknown-game", f"there is no game {shown(game_id)}: check the id", game=shown(game_id))


def append(
    games: Games, change: Change, by_orders: ByOrders | None = None, beside: Sequence[Command] = ()
) -> Answer | None:
    """Store a change if the log has not grown since it was read, and send a hint if a worker must act next.

    Returns None, and stores nothing, if the log has grown. If `by_orders` is given, the change is stored only if the
    seat still has these orders. `beside` contains commands that write data that is not derived from the log. These
    commands run in the same step, on the game's shard. Raises: StoreError.
    """
    result = games.store.log.append(addition(change, by_orders, beside))
    if result is None:
        return None
    if result.due:
        games.hints.send(hint_for(change.game, result.at))
    return Answer(change.game, result.repeated)


def hint_for(game: Snapshot, due: int) -> Hint:
    """Return the hint that tells a worker to act in a game, for a bot or for standing orders.

    `due` is the time at which the turn became due (ms, according to the log server's clock).
    """
    return Hint(game.id, due, game.table.opened.owner, people=bool(game.seats_of_people()), searches=game.search_to_act)


def addition(change: Change, by_orders: ByOrders | None = None, beside: Sequence[Command] = ()) -> Addition:
    """Return the data that the store must append: a commit, and the rows that are written in addition to the log.

    The remaining orders are written before the other rows. If the move ends the game, a later row can then withdraw
    these orders in the same append. `beside` has the same meaning as in `append`.
    """
    game, expected = change.game, change.game.version - 1
    index_writes = [write for project in PROJECTIONS for write in project(change)]
    return Addition(
        game=game.id,
        expected=expected,
        commit=to_record(change.commit, game.hash),
        due=game.bot_to_act() is not None,
        seed=game.seed if expected == 0 else None,
        players=change.recipients,
        writes=[*([] if by_orders is None else by_orders.writes), *index_writes, *beside],
        seat_to_act=game.seat_to_act if game.player_to_act() is not None else None,
        by_orders=None if by_orders is None else (by_orders.seat, by_orders.orders),
        same_turn=change.commit.is_beside_the_game,
    )


def require_version(game: Game, version: int) -> None:
    """Check that a game has reached a version. Raises: Problem (invalid-request).

    A client that asks for a later version has probably confused this game with another game, and might wait forever.
    """
    if version > game.version:
        errors = {"after": [f"Must not be greater than the version of the game, {game.version}."]}
        detail = f"after: the game is only at version {game.version}: fetch the game and continue from there"
        raise Problem("invalid-request", detail, errors=errors, game=game.id, version=game.version)


def named(seen: frozenset[int]) -> str:
    """Return the first words of a problem's detail, which say which version the request named.

    >>> named(frozenset()), named(frozenset({7})), named(frozenset({7, 12, 9}))
    ('you named no version', 'you saw version 7', 'you saw other versions')
    """
    if len(seen) > 1:
        return "you saw other versions"
    return "".join(f"you saw version {version}" for version in seen) or "you named no version"


def at_version(game: Game, version: int) -> Game:
    """Return a game as it was at `version`, which is at least 1.

    Raises: Problem (unknown-version) if the game has not reached the version.
    """
    if version > game.version:
        detail = f"the game is only at version {game.version}: wait for the event, or request an earlier version"
        raise Problem("unknown-version", detail, game=game.id, version=game.version)
    return game if version == game.version else game.at(version)


def new_key() -> str:
    """Return a commit key for a request without an Idempotency-Key."""
    return secrets.token_hex(16)


def key_and_fingerprint(attempt: Attempt | None) -> tuple[str, str]:
    """Return the key and the fingerprint for a request's commit.

    `attempt` is None if the request has no Idempotency-Key.
    """
    return (new_key(), "") if attempt is None else (attempt.key, attempt.fingerprint)


def first_answer(game: Game, player: str, key: str, fingerprint: str) -> Answer | None:
    """Return the game as it was after a player's earlier request with this key, or None if the log has no such request.

    Raises: Problem (key-reused) if the earlier request had a different body.
    """
    earlier = game.commit_of_request(player, key)
    if earlier is None:
        return None
    if earlier["fingerprint"] != fingerprint:
        raise key_reused(game=game.id)
    return Answer(game.at(earlier["seq"]), repeated=True)


def earlier_answer(game: Game, player: str, attempt: Attempt | None) -> Answer | None:
    """Return the game as it was after an earlier request with the same key, or None if there is no such request or no
    key.
    """
    return None if attempt is None else first_answer(game, player, attempt.key, attempt.fingerprint)
