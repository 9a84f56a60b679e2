"""Fair order: hints wait in queues called lines, and Lua scripts decide which hint is taken next.

The turns of search bots use one pair of lines, and all other turns use another pair. Each worker takes hints from only
one pair of lines, and each script uses only one pair. Within a pair, hints for games with people are in one line, and
hints for games that only bots play are in the other. Workers prefer the line for games with people. However, while both
lines have hints, one out of every `SHARE` hints is taken from the other line, so that all games make progress. Within a
line, the owners of the games take turns, and each owner's hints are taken in order of arrival.

A hint's place in its line is a number, and the hint with the lowest place is taken first. A new hint's place is one
more than the higher of two numbers: the place of the owner's last hint in the line, and the place of the hint that was
taken last. For example, if one owner has 300 hints, these hints get 300 consecutive places. Another owner's first hint
still gets the place right after the place of the hint that was taken last.

All keys are on the queue server and begin with `condottiere:hints:`.

| key             | type   | holds                                                                                   |
|-----------------|--------|-----------------------------------------------------------------------------------------|
| `people` `bots` | zset   | `<game> <due> <owner>` -> its place; the lines                                          |
| `people:places` | hash   | owner -> the place of the owner's last hint in `people`; `taken` -> the place of the    |
|                 |        | hint that was taken last                                                                |
| `bots:places`   | hash   | the same for `bots`; `passed` -> how many hints of `people` were taken since the last   |
|                 |        | one of `bots`                                                                           |
| `thinking-...`  |        | the same four keys for turns of bots that search, and for advice: `<game>? <due>        |
|                 |        | <owner>`                                                                                |
| `failed:<game>` | string | the `<due>` of a turn that a job could not play; it expires after a minute              |
| `claimed:...`   | string | an empty string, while a thinker works on `<game>:<version>`; it expires soon           |

If these data are lost, the clock process resends the hints. An owner's place is removed together with the owner's last
hint. Before a hint is put into an empty line, the line's `:places` hash is removed. Before a script uses a key, it
deletes the key if its value has the wrong type, so a damaged key cannot make scripts fail forever.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..store.lua import script

PREFIX = "condottiere:hints:"
PEOPLE, BOTS = (f"{PREFIX}people", f"{PREFIX}bots")
THINKING_PEOPLE, THINKING_BOTS = (f"{PREFIX}thinking-people", f"{PREFIX}thinking-bots")
"""The lines for turns of bots that search."""
LINES = (PEOPLE, BOTS, THINKING_PEOPLE, THINKING_BOTS)
KEYS, THINKING_KEYS = (
    tuple(key for line in pair for key in (line, f"{line}:places")) for pair in (LINES[:2], LINES[2:])
)
"""The keys of each pair of lines, in the order in which scripts expect them."""
SHARE = 8
"""While both lines of a pair have hints, one out of this number of hints is for a game that only bots play."""
ADVICE = "?"
"""The mark that follows the game's id in a hint that asks for advice."""
UNKNOWN = "-"
"""The owner that is recorded if a game's owner is unknown. All such games are treated as games of the same owner."""


class Hint(NamedTuple):
    """A message which says that a game is waiting for a worker to make a move.

    `due` is the time at which the move became due (ms since the epoch, by the log server's clock). `owner` is the
    player who opened the game. `people` says whether any people play in the game. `searches` says whether it is a
    search bot's turn. If `advice` is true, the hint is not about a turn: at `due`, the player `owner` asked which move
    a bot would make. If `advice` is true, `searches` is also true.
    """

    game: str
    due: int
    owner: str = UNKNOWN
    people: bool = True
    searches: bool = False
    advice: bool = False


PUT = script("put_hints", __package__)
TAKE = script("take_hint", __package__)
READ_LINES = script("read_lines", __package__)


def to_arguments(hints: Iterable[Hint]) -> list[str | int]:
    """Return the arguments of `PUT` that add these hints. All hints must belong to the same pair of lines."""
    return [argument for hint in hints for argument in (1 if hint.people else 3, _member(hint), hint.owner)]


def place_of(hint: Hint) -> tuple[str, str]:
    """Return the line in which a hint waits, and the member that represents the hint in that line.

    >>> place_of(Hint("17k3v9k3v9k3v9k3v9", 1795000000000, "p07k3v9xq2mza", people=False))
    ('condottiere:hints:bots', '17k3v9k3v9k3v9k3v9 1795000000000 p07k3v9xq2mza')
    """
    return LINES[2 * hint.searches + (not hint.people)], _member(hint)


def read(member: bytes, number: int, *, searches: bool = False) -> Hint | None:
    """Return the hint that a member of a line represents, or None if the member cannot be parsed.

    `number` is the position of the line's key in the script's KEYS. `searches` says whether the line is for search
    bots.

    >>> read(b"17k3v9k3v9k3v9k3v9 1795000000000 p07k3v9xq2mza", 3) == Hint(
    ...     "17k3v9k3v9k3v9k3v9", 1795000000000, "p07k3v9xq2mza", people=False
    ... )
    True
    """
    try:
        game, due, owner = member.decode().split(" ")
        kind = {"people": number == 1, "searches": searches, "advice": game.endswith(ADVICE)}
        return Hint(game.removesuffix(ADVICE), int(due), owner, **kind)
    except ValueError:
        return None


def failed_key(game_id: str) -> str:
    """Return the key under which the queue server records that a job could not play a game's turn."""
    return f"{PREFIX}failed:{game_id}"


def _member(hint: Hint) -> str:
    return f"{hint.game}{ADVICE if hint.advice else ''} {hint.due} {hint.owner}"
