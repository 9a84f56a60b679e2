"""Where everything lies on the log server, and how ids are made.

The keys on the queue's server are in `hints.fair` and `hints.queue`.

Every key begins with `condottiere:{sNN}:`. The part in braces is the hash tag of one of 64 shards: all keys of a shard
lie in one slot of a cluster, so that one script may write several of them.

| key (after the prefix)  | type   | holds                                                                            |
|-------------------------|--------|----------------------------------------------------------------------------------|
| `layout`                | string | the number of the layout that this table describes, see `layout`                 |
| `log:<game>`            | list   | the game's commits (`commits`), in order; its length is the game's version       |
| `seed:<game>`           | string | the game's 32 secret bytes, written with the first commit                        |
| `due`                   | zset   | game -> when a bot or a seat's orders must act (ms, by the server's own clock)   |
| `outbox`                | stream | `game`, `seq` of every append, about the last 10,000                             |
| `outbox-read`           | string | the last entry of the outbox of which webhooks have been told                    |
| `looks`                 | zset   | game -> when the clock must look at it (ms, by the clock of who wrote it)        |
| `open` `running` `finished` `substitute` | zset | game -> when its entry in lists changed last (ms since the epoch) |
| `mine:<player>`         | zset   | the same, of the games of this shard in which a player has sat                   |
| `feed:<player>`         | list   | `<game> <seq>` of every commit in this shard that concerns a player, in order    |
| `turns:<player>`        | hash   | game -> the turn there that waits for the player, JSON                           |
| `given:<player>`        | hash   | game -> the player's seat there that a bot has been given, JSON; running games   |
| `record:<player>`       | hash   | `moves`, `thought` (ms), `timeouts`, `class:<n>`: moves of about so long         |
| `orders:<game>`         | hash   | seat -> its standing orders, JSON; no field where nothing stands                 |
| `orders-history:<game>` | hash   | seat -> what has become of its orders, JSON                                      |
| `summaries`             | hash   | game -> what lists show of it, JSON                                              |
| `player:<player>`       | hash   | `name`, `registered` (ms), `token` (its SHA-256 in hex), `hours` (JSON)          |
| `name:<name>`           | string | the id of the player with this name, written in lower case                       |
| `webhooks:<player>`     | set    | the player's webhooks                                                            |
| `webhook:<webhook>`     | hash   | a webhook as `webhooks` has it, and `made`: how many deliveries it has had       |
| `deliveries:<webhook>`  | hash   | number -> delivery, JSON                                                         |
| `told:<webhook>`        | list   | numbers of the deliveries that are over, the oldest of which is forgotten first  |
| `planned:<webhook>`     | hash   | game -> the last commit of which deliveries have been made                       |
| `sequences:<webhook>`   | hash   | game -> how many deliveries have been made of it                                 |
| `waiting:<webhook>`     | set    | games whose lane is not empty                                                    |
| `waking:<webhook>`      | set    | of these, which are to be tried soon, since the endpoint takes something again   |
| `lane:<game>:<webhook>` | list   | numbers of the deliveries of one game that wait, the first of which is tried     |
| `lanes`                 | zset   | `<webhook> <game>` -> when the lane's first is to be tried (ms, the server's)    |
| `taken`                 | hash   | `<webhook> <game>` -> the process that tries the lane's first, and since when    |
| `held`                  | hash   | `<webhook> <game>` -> before when its endpoint does not want to be asked (ms)    |
| `presence`              | hash   | part of the service -> when it was last there (ms); in the first shard only      |
| `outages`               | list   | `<from> <until>` of each time when one was not (ms); in the first shard only     |
| `aside`                 | zset   | `<game> <reason>` -> since when nobody can play on there (ms); first shard only  |
| `deliverers`            | zset   | process -> until when it is believed to deliver (ms); in the first shard only    |
| `answer:<digest>:<player>` | hash | of a request with an Idempotency-Key: `body`, `answer`, marks; for 48 hours     |
| `registration:<digest>` | hash   | the same of a registration, which has no player yet; for 48 hours                |
| `secret`                | string | the server's 32 secret bytes, from which the above derive; in the first shard    |

A game's keys lie in the shard that its id begins with, a player's in the shard of the name, which stands in the
player's id, and a webhook's in the shard of its player, which stands in the webhook's id. A ping concerns no game: `-`
stands in its place. A registration's claim lies in a shard that follows from its digest. `mine` and `feed` lists are in
the shards of the games. Wake-ups go over one channel, `condottiere:wakes`, as `<game> <seq>` with the players whom the
commit concerns after it.
"""

from __future__ import annotations

import hashlib
import math
import re
import secrets
from collections.abc import Sequence
from functools import lru_cache

SHARDS = 64
WAKES = "condottiere:wakes"
LISTED = ("open", "running", "finished", "substitute")

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, in lower case: no i, l, o and u, which are misread."""
_SHARD = "(?:[0-5][0-9]|6[0-3])"
"""A shard in two digits, below `SHARDS`."""
_GAME = re.compile(f"{_SHARD}[{_DIGITS}]{{16}}")
_PLAYER = re.compile(f"p{_SHARD}[{_DIGITS}]{{10}}")
_WEBHOOK = re.compile(f"w{_SHARD}[{_DIGITS}]{{10}}")
_PREFIXES = [f"condottiere:{{s{shard:02d}}}:" for shard in range(SHARDS)]


def new_game_id() -> str:
    """Return the id of a new game: its shard in two digits and 80 random bits."""
    return f"{secrets.randbelow(SHARDS):02d}{_random(16)}"


def new_player_id(name: str) -> str:
    """Return the id of a new player: `p`, the shard of the name in two digits and 50 random bits."""
    return f"p{shard_of_name(name):02d}{_random(10)}"


def new_webhook_id(player_id: str) -> str:
    """Return the id of a new webhook of a player: `w`, the player's shard in two digits and 50 random bits."""
    return f"w{shard_of_player(player_id):02d}{_random(10)}"


def game_id_from(bits: bytes) -> str:
    """Return the id of a game that follows from 17 bytes or more, each shard as likely as the others.

    >>> game_id_from(bytes(range(32)))
    '00123456789abcdefg'
    """
    return f"{bits[0] % SHARDS:02d}{_digits(bits[1:17])}"


def player_id_from(name: str, bits: bytes) -> str:
    """Return the id of a player with a name that follows from 10 bytes or more."""
    return f"p{shard_of_name(name):02d}{_digits(bits[:10])}"


def webhook_id_from(player_id: str, bits: bytes) -> str:
    """Return the id of a webhook of a player that follows from 10 bytes or more."""
    return f"w{shard_of_player(player_id):02d}{_digits(bits[:10])}"


def is_game_id(text: str) -> bool:
    """Tell whether a text has the shape of a game's id.

    >>> is_game_id("17k3v9k3v9k3v9k3v9"), is_game_id("64k3v9k3v9k3v9k3v9")
    (True, False)
    """
    return _GAME.fullmatch(text) is not None


def is_player_id(text: str) -> bool:
    """Tell whether a text has the shape of a player's id."""
    return _PLAYER.fullmatch(text) is not None


def is_webhook_id(text: str) -> bool:
    """Tell whether a text has the shape of a webhook's id."""
    return _WEBHOOK.fullmatch(text) is not None


def shard_of_name(name: str) -> int:
    """Return the shard in which a player of this name is kept, the same in upper and lower case."""
    return hashlib.sha256(name.lower().encode()).digest()[0] % SHARDS


def of_shard(shard: int, rest: str) -> str:
    """Return a key of a shard.

    >>> of_shard(7, "due")
    'condottiere:{s07}:due'
    """
    return _PREFIXES[shard] + rest


def of_game(game_id: str, kind: str) -> str:
    """Return the key `log` or `seed` of a game. Raises: ValueError when the id has not the shape of one."""
    return of_shard(shard_of_game(game_id), f"{kind}:{game_id}")


@lru_cache(1024)
def shard_of_game(game_id: str) -> int:
    """Return the shard of a game. Raises: ValueError when the id has not the shape of one."""
    if not is_game_id(game_id):
        raise ValueError(f"{game_id!r} is not the id of a game")
    return int(game_id[:2])


def games_at(answer: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return when and which games a sorted set names, in its order, from the answer to a read WITHSCORES.

    A member that is not a game's id is left out; a score without an end is taken for 0, which is long ago.

    >>> games_at([b"17k3v9k3v9k3v9k3v9", b"1790000000000", b"nonsense", b"1", b"18k3v9k3v9k3v9k3v9", b"-inf"])
    [(1790000000000, '17k3v9k3v9k3v9k3v9'), (0, '18k3v9k3v9k3v9k3v9')]
    """
    pairs = zip(answer[::2], answer[1::2], strict=True)
    named = [(game.decode(errors="replace"), float(score)) for game, score in pairs]
    return [(int(score) if math.isfinite(score) else 0, game) for game, score in named if is_game_id(game)]


def shard_of_player(player_id: str) -> int:
    """Return the shard of a player. Raises: ValueError when the id has not the shape of one."""
    if not is_player_id(player_id):
        raise ValueError(f"{player_id!r} is not the id of a player")
    return int(player_id[1:3])


def of_player(player_id: str, kind: str = "player") -> str:
    """Return the key `player` or `webhooks` of a player. Raises: ValueError when the id has not the shape of one."""
    return of_shard(shard_of_player(player_id), f"{kind}:{player_id}")


def shard_of_webhook(webhook_id: str) -> int:
    """Return the shard of a webhook. Raises: ValueError when the id has not the shape of one."""
    if not is_webhook_id(webhook_id):
        raise ValueError(f"{webhook_id!r} is not the id of a webhook")
    return int(webhook_id[1:3])


def of_webhook(webhook_id: str, kind: str) -> str:
    """Return a key of a webhook, such as `deliveries`. Raises: ValueError when the id has not the shape of one."""
    return of_shard(shard_of_webhook(webhook_id), f"{kind}:{webhook_id}")


def of_name(name: str) -> str:
    """Return the key that says whose name this is."""
    return of_shard(shard_of_name(name), f"name:{name.lower()}")


def of_registration(digest: bytes) -> str:
    """Return the key of a registration's claim, by 17 bytes or more that follow from its Idempotency-Key."""
    return of_shard(digest[0] % SHARDS, f"registration:{digest[1:17].hex()}")


def _digits(bits: bytes) -> str:
    return "".join(_DIGITS[byte % len(_DIGITS)] for byte in bits)


def _random(length: int) -> str:
    return "".join(secrets.choice(_DIGITS) for _ in range(length))
