"""Keys: lists all keys on the log server, and creates ids.

The keys on the queue server are listed in `hints.fair` and `hints.queue`.

Every key begins with `condottiere:{sNN}:`. The part in braces is the hash tag of one of 64 shards. In a cluster, all
keys of a shard are in one slot, so a script can write several keys of a shard.

| key (after the prefix)  | type   | holds                                                                            |
|-------------------------|--------|----------------------------------------------------------------------------------|
| `layout`                | string | the number of the layout that this table describes, see `layout`                 |
| `log:<game>`            | list   | the game's commits (`commits`), in order; its length is the game's version       |
| `seed:<game>`           | string | the game's 32 secret bytes, written with the first commit                        |
| `due`                   | zset   | game -> when a bot or a seat's orders must act (ms, by the server's own clock)   |
| `outbox`                | stream | `game` and `seq` of about the last 10,000 appends                                |
| `outbox-read`           | string | the last entry of the outbox for which deliveries were planned                   |
| `looks`                 | zset   | game -> when the clock must check it (ms, by the clock of the writing process)   |
| `open` `running` `finished` `substitute` | zset | game -> when its entry in lists last changed (ms since the epoch) |
| `private-open` `private-running` `private-finished` | zset | the same, for private games                    |
| `mine:<player>`         | zset   | the same, for the games of this shard in which the player has had a seat         |
| `private:<player>`      | zset   | the same, for games that are private or hide their players, instead of `mine`    |
| `current:<player>`      | hash   | game -> its status, open or running, after `own-` if the player owns it          |
| `feed:<player>`         | list   | `<game> <seq>` of every commit in this shard that concerns a player, in order    |
| `turns:<player>`        | hash   | game -> the turn in which the game waits for the player, JSON                    |
| `given:<player>`        | hash   | running game -> the player's seat in it that was given to a bot, JSON            |
| `record:<player>`       | hash   | `moves`, `thought` (ms), `timeouts`, `class:<n>`: moves in a class of durations  |
| `table:<game>`          | hash   | data stored next to the log: `title`, `link`, `rematch_of`, `rematch`,           |
|                         |        | `rematches`, `reserved_until`, `bot` (see `tables`)                              |
| `reserved:<game>`       | hash   | player -> the seat of a rematch that is reserved for the player                  |
| `proposals`             | zset   | rematch -> the time until which seats in it are reserved (ms)                    |
| `invitations:<game>`    | hash   | player -> the invitation to the game, with the answer, JSON (see `invitations`)  |
| `invited:<player>`      | hash   | game of this shard -> the player's invitation that waits for an answer, JSON     |
| `invitation-feed:<player>` | list | `<game> <kind> <invited>` of each notice about an invitation in this shard      |
| `untold`                | hash   | `<game> <player> <kind>` -> an invitation whose deliveries are not planned yet   |
| `talk:<game>`           | hash   | message -> its text, its author and its recipients, JSON (`talk`)                |
| `talk-table:<game>`     | list   | ids of the messages to the whole table, in order                                 |
| `talk-spectators:<game>` | list  | ids of the messages in the spectators' room, in order                            |
| `talk-seats:<game>:<player>` | list | ids of the private messages that the player wrote or was sent, in order       |
| `talk-sent:<game>`      | hash   | player -> how many messages the player has written in the game                   |
| `talk-read:<game>`      | hash   | player -> how many messages of each of the three lists above the player has read |
| `talk-mutes:<game>`     | string | the spectators whom the game's owner has muted, JSON                             |
| `talk-feed:<player>`    | list   | `<game> <message>` of every message in this shard by or to the player, in order  |
| `talk-news:<player>`    | set    | games of this shard with messages that the player may not have read              |
| `talk-outbox`           | stream | `game`, `seq`, `message` of about the last 10,000 messages to players            |
| `talk-outbox-read`      | string | the last entry of the talk outbox for which deliveries were planned              |
| `talk-shards:<player>`  | set    | the shards that have a `talk-feed` or an `invitation-feed` of the player         |
| `blocks:<player>`       | hash   | player whom this player has blocked -> the time of the block (ms)                |
| `reports`               | hash   | id -> a report of a message to the host, JSON; in the first shard only           |
| `orders:<game>`         | hash   | seat -> its standing orders, JSON; no field if it has none                       |
| `orders-history:<game>` | hash   | seat -> the history of its orders, JSON                                          |
| `summaries`             | hash   | game -> the part of its entry in lists that rarely changes, JSON                 |
| `progress`              | hash   | game -> the part of its entry in lists that changes often, JSON                  |
| `player:<player>`       | hash   | `name`, `registered` (ms), `token:<hash>`: a token (`tokens`), `hours` (JSON),   |
|                         |        | `suspended`: the host's reason; `token`, `token-used`: a token as release 0.3.0  |
|                         |        | stores it, by its SHA-256, and its last use (ms)                                 |
|                         |        | `deleted` (ms): the account was deleted; the only other field is `registered`    |
|                         |        | `recovery`: the hash of the recovery code, encrypted if there is a secret key    |
|                         |        | `notices`: which events to send to the player by e-mail and in browsers, JSON    |
|                         |        | `earlier`: the player's names from before the host renamed the player, JSON      |
| `name:<name>`           | string | the id of the player who has or had this name; the key has it in lower case      |
| `webhooks:<player>`     | set    | the player's webhooks                                                            |
| `webhook:<webhook>`     | hash   | the fields of a webhook (`webhooks`), and `made`: how many deliveries it has had |
| `deliveries:<webhook>`  | hash   | number -> delivery, JSON                                                         |
| `told:<webhook>`        | list   | numbers of the finished deliveries; the oldest is removed first                  |
| `planned:<webhook>`     | hash   | game -> the last commit for which deliveries were planned; `talk-` and game ->   |
|                         |        | the number of the last message for which they were planned                       |
| `sequences:<webhook>`   | hash   | game -> how many deliveries it has had                                           |
| `waiting:<webhook>`     | set    | games whose lane is not empty                                                    |
| `waking:<webhook>`      | set    | games whose lane is tried soon, because the endpoint accepts deliveries again    |
| `lane:<game>:<webhook>` | list   | numbers of the waiting deliveries of one game; the first one is tried            |
| `lanes`                 | zset   | `<webhook> <game>` -> when to try the lane's first delivery (ms, server's clock) |
| `taken`                 | hash   | `<webhook> <game>` -> the process that took the lane, and when it did so         |
| `held`                  | hash   | `<webhook> <game>` -> the time until which its endpoint wants no requests (ms)   |
| `presence`              | hash   | part of the service -> when it was last running (ms); in the first shard only    |
| `outages`               | list   | `<from> <until>` of each outage of a part (ms); in the first shard only          |
| `aside`                 | zset   | `<game> <reason>` -> when the game was set aside (ms); in the first shard only   |
| `closed`                | string | exists while the shard is read-only: when this mode began (ms), see `read_only`  |
| `audit`                 | stream | `act`, `line` (JSON) of every action of the host; first shard only               |
| `switches`              | hash   | the host's runtime switches, see `switches`; in the first shard only             |
| `announcements`         | hash   | id -> announcement, JSON; in the first shard only                                |
| `deliverers`            | zset   | process -> the time until which it counts as running (ms); first shard only      |
| `answer:<digest>:<player>` | hash | a request with an Idempotency-Key: `body`, `answer`, marks; kept for 48 hours   |
| `registration:<digest>` | hash   | the same for a request without a token, such as a registration; for 48 hours     |
| `device:<digest>`       | hash   | `player`, `scopes`, `token`, `taken` of a code for a device; for 10 minutes      |
| `code:<digest>`         | string | `<game> <link>` of a join code; for a day                                        |
| `sealed`                | string | the id of the key with which all secrets are encrypted; in the first shard only  |
| `vapid`                 | hash   | `private`: the key for push services, encrypted; in the first shard only         |
| `secret`                | string | the server's 32 secret bytes, from which digests are derived; in the first shard |

The id of a game, player or webhook contains the number of its shard. A game's keys are in the shard whose number is at
the beginning of the game's id. A player's keys are in the shard of the player's original name, and a webhook's keys are
in the shard of its player. Pings and digests do not belong to a game. The lane of pings therefore has `-` instead of a
game's id, and the lane of digests has `digest`. The shard of a registration's claim is derived from the claim's digest.
A player's `mine` and `feed` lists are in the shards of the games, not in the player's shard.

Messages that wake waiting requests are published on one channel, `condottiere:wakes`. For a commit, the message is
`<game> <seq>`, followed by the players whom the commit concerns. If a player's name changes, the message is `renamed 0
<player>`. For a new talk message, the published message has the form `talk-<game> 0 <players> <topics>`: it names the
players who may read the talk message, and then the topics of all its readers (`talk`). Nobody else is woken.
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
RENAMED = "renamed"
"""The word that replaces a game's id in the message which announces that a player's name has changed."""
TALK = "talk-"
"""The prefix of a game's id in the message which announces a new message in the game's talk."""
ANY_SHARD = "condottiere:{s??}:"
"""A pattern that matches the prefix of all keys."""
PRIVATE = "private"
"""The prefix of the names of the lists of private games."""
LIST_NAMES = ("open", "running", "finished", "substitute", "private-open", "private-running", "private-finished")

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32, in lower case. This alphabet leaves out i, l, o and u, which are easily misread."""
_SHARD = "(?:[0-5][0-9]|6[0-3])"
"""A shard's number in two digits, below `SHARDS`."""
_PRIVATE_MARK = "u"
"""The first character after the shard's number in the id of a private game. `_DIGITS` does not contain this character,
so no other id has it. Releases without private games treat such an id as malformed, and find no game."""
_GAME = re.compile(f"{_SHARD}(?:[{_DIGITS}]{{16}}|{_PRIVATE_MARK}[{_DIGITS}]{{15}})")
_PLAYER = re.compile(f"p{_SHARD}[{_DIGITS}]{{10}}")
_MESSAGE = re.compile(f"m[{_DIGITS}]{{16}}")
_WEBHOOK = re.compile(f"w{_SHARD}[{_DIGITS}]{{10}}")
_PREFIXES = [f"condottiere:{{s{shard:02d}}}:" for shard in range(SHARDS)]


def new_game_id(*, private: bool = False) -> str:
    """Return the id of a new game: its shard in two digits, and 80 random bits (75 in the id of a private game)."""
    return _game_id(secrets.randbelow(SHARDS), _random(16), private=private)


def new_player_id(name: str) -> str:
    """Return the id of a new player. The id is `p`, the name's shard in two digits, and 50 random bits."""
    return f"p{shard_of_name(name):02d}{_random(10)}"


def new_webhook_id(player_id: str) -> str:
    """Return the id of a player's new webhook. The id is `w`, the player's shard in two digits, and 50 random bits."""
    return f"w{shard_of_player(player_id):02d}{_random(10)}"


def game_id_from(bits: bytes, *, private: bool = False) -> str:
    """Return a game's id, derived from 17 or more bytes. Every shard is equally likely.

    >>> game_id_from(bytes(range(32))), game_id_from(bytes(range(32)), private=True)
    ('00123456789abcdefg', '00u23456789abcdefg')
    """
    return _game_id(bits[0] % SHARDS, _digits(bits[1:17]), private=private)


def player_id_from(name: str, bits: bytes) -> str:
    """Return an id, derived from 10 or more bytes, for the player with this name."""
    return f"p{shard_of_name(name):02d}{_digits(bits[:10])}"


def token_id_from(bits: bytes) -> str:
    """Return a token's id, derived from 10 or more bytes. The id is `t` and 50 of their bits.

    The id is unique among one player's tokens.

    >>> token_id_from(bytes(range(32)))
    't0123456789'
    """
    return f"t{_digits(bits[:10])}"


def webhook_id_from(player_id: str, bits: bytes) -> str:
    """Return the id of a player's webhook, derived from 10 or more bytes."""
    return f"w{shard_of_player(player_id):02d}{_digits(bits[:10])}"


def new_message_id() -> str:
    """Return the id of a new message. The id is `m` and 80 random bits, which reveal nothing about other messages."""
    return f"m{_random(16)}"


def message_id_from(bits: bytes) -> str:
    """Return a message's id, derived from 16 or more bytes."""
    return f"m{_digits(bits[:16])}"


def is_message_id(text: str) -> bool:
    """Return whether a string has the shape of a message's id."""
    return _MESSAGE.fullmatch(text) is not None


def is_game_id(text: str) -> bool:
    """Return whether a string has the shape of a game's id.

    >>> is_game_id("17k3v9k3v9k3v9k3v9"), is_game_id("64k3v9k3v9k3v9k3v9")
    (True, False)
    """
    return _GAME.fullmatch(text) is not None


def is_private(game_id: str) -> bool:
    """Return whether a string has the shape of a private game's id. A private game cannot become public, and a public
    game cannot become private.

    >>> is_private("17u3v9k3v9k3v9k3v9"), is_private("17k3v9k3v9k3v9k3v9"), is_private("17u")
    (True, False, False)
    """
    return game_id[2:3] == _PRIVATE_MARK and is_game_id(game_id)


def is_of_private_game(key: str) -> bool:
    """Return whether a key belongs to a private game, or to an index of private games.

    >>> is_of_private_game(of_game("17u3v9k3v9k3v9k3v9", "log")), is_of_private_game(of_shard(7, "private-open"))
    (True, True)
    >>> is_of_private_game(of_game("17k3v9k3v9k3v9k3v9", "log")), is_of_private_game(of_shard(7, "open"))
    (False, False)
    """
    _, _, family, *name = key.split(":")
    return family.startswith(PRIVATE) or any(map(is_private, name))


def is_player_id(text: str) -> bool:
    """Return whether a string has the shape of a player's id."""
    return _PLAYER.fullmatch(text) is not None


def is_webhook_id(text: str) -> bool:
    """Return whether a string has the shape of a webhook's id."""
    return _WEBHOOK.fullmatch(text) is not None


def shard_of_name(name: str) -> int:
    """Return the shard of a player's name, ignoring case."""
    return hashlib.sha256(name.lower().encode()).digest()[0] % SHARDS


def of_shard(shard: int, suffix: str) -> str:
    """Return a key that belongs to a shard.

    >>> of_shard(7, "due")
    'condottiere:{s07}:due'
    """
    return _PREFIXES[shard] + suffix


def of_game(game_id: str, kind: str) -> str:
    """Return one of a game's keys, such as `log` or `seed`. Raises: ValueError if the id is malformed."""
    return of_shard(shard_of_game(game_id), f"{kind}:{game_id}")


@lru_cache(1024)
def shard_of_game(game_id: str) -> int:
    """Return the shard of a game. Raises: ValueError if the id is malformed."""
    if not is_game_id(game_id):
        raise ValueError(f"{game_id!r} is not a game id")
    return int(game_id[:2])


def games_at(answer: Sequence[bytes]) -> list[tuple[int, str]]:
    """Return the times and games, in order, from the reply to a command that reads a sorted set WITHSCORES.

    Members that are not ids of games are left out. An infinite score becomes 0, which is a time long ago.

    >>> games_at([b"17k3v9k3v9k3v9k3v9", b"1790000000000", b"nonsense", b"1", b"18k3v9k3v9k3v9k3v9", b"-inf"])
    [(1790000000000, '17k3v9k3v9k3v9k3v9'), (0, '18k3v9k3v9k3v9k3v9')]
    """
    pairs = zip(answer[::2], answer[1::2], strict=True)
    entries = [(game.decode(errors="replace"), float(score)) for game, score in pairs]
    return [(int(score) if math.isfinite(score) else 0, game) for game, score in entries if is_game_id(game)]


def renamed(player_id: str) -> tuple[str, str]:
    """Return the channel and the message with which a process announces that a player's name has changed."""
    return WAKES, f"{RENAMED} 0 {player_id}"


def shard_of_player(player_id: str) -> int:
    """Return the shard of a player. Raises: ValueError if the id is malformed."""
    if not is_player_id(player_id):
        raise ValueError(f"{player_id!r} is not a player id")
    return int(player_id[1:3])


def of_player(player_id: str, kind: str = "player") -> str:
    """Return one of a player's keys, such as `webhooks`. Raises: ValueError if the id is malformed."""
    return of_shard(shard_of_player(player_id), f"{kind}:{player_id}")


def shard_of_webhook(webhook_id: str) -> int:
    """Return the shard of a webhook. Raises: ValueError if the id is malformed."""
    if not is_webhook_id(webhook_id):
        raise ValueError(f"{webhook_id!r} is not a webhook id")
    return int(webhook_id[1:3])


def of_webhook(webhook_id: str, kind: str) -> str:
    """Return one of a webhook's keys, such as `deliveries`. Raises: ValueError if the id is malformed."""
    return of_shard(shard_of_webhook(webhook_id), f"{kind}:{webhook_id}")


def of_name(name: str) -> str:
    """Return the key under which the id of the player with this name is stored."""
    return of_shard(shard_of_name(name), f"name:{name.lower()}")


def of_registration(digest: bytes) -> str:
    """Return the key of a registration's claim.

    `digest` consists of 17 or more bytes derived from the Idempotency-Key.
    """
    return of_shard(digest[0] % SHARDS, f"registration:{digest[1:17].hex()}")


def of_device_code(digest: str) -> str:
    """Return the key under which a device's code is stored, given the code's hash in hex."""
    return of_shard(int(digest[:2], 16) % SHARDS, f"device:{digest[2:34]}")


def of_join_code(digest: str) -> str:
    """Return the key under which a join code is stored, given the code's hash in hex."""
    return of_shard(int(digest[:2], 16) % SHARDS, f"code:{digest[2:34]}")


def _game_id(shard: int, digits: str, *, private: bool) -> str:
    return f"{shard:02d}{_PRIVATE_MARK if private else digits[0]}{digits[1:]}"


def _digits(bits: bytes) -> str:
    return "".join(_DIGITS[byte % len(_DIGITS)] for byte in bits)


def _random(length: int) -> str:
    return "".join(secrets.choice(_DIGITS) for _ in range(length))
