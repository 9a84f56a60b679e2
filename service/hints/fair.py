"""Which hint is taken next: two lines in which hints wait, and the scripts that keep them.

Hints for games that a person waits for stand in one line, hints for games that only bots play in the other. The first
line is served first, but one hint in `SHARE` comes from the second while both have any, so no game stands still for
ever. Within a line the owners of the games take turns, and the hints of one owner are taken in the order in which they
came.

A hint's place in its line is a number, and the lowest is taken first. It is one more than the place of its owner's
last hint in the line, or than the place that was taken last, whichever is higher. An owner with 300 hints has 300
places in a row; the first hint of another owner gets the place right after the one that was taken last.

All keys lie on the queue's server and begin with `condottiere:hints:`.

| key             | type   | holds                                                                                   |
|-----------------|--------|-----------------------------------------------------------------------------------------|
| `people` `bots` | zset   | `<game> <due> <owner>` -> its place; the lines                                          |
| `people:places` | hash   | owner -> the place of the owner's last hint in `people`; `taken` -> the place that was  |
|                 |        | taken last                                                                              |
| `bots:places`   | hash   | the same for `bots`; `passed` -> how many hints of `people` were taken since the last   |
|                 |        | one of `bots`                                                                           |
| `failed:<game>` | string | the `<due>` of a turn for which a job could do nothing; it expires after a minute       |

Nothing here is the only copy: the clock sends what is lost. An owner's place is forgotten with the owner's last hint,
and the rest of a hash with the last hint of its line. Each script deletes a key that has a wrong type before it uses
it, so no script fails for ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

PREFIX = "condottiere:hints:"
PEOPLE, BOTS = LINES = (f"{PREFIX}people", f"{PREFIX}bots")
KEYS = [key for line in LINES for key in (line, f"{line}:places")]
"""The keys of both lines, as the scripts take them."""
SHARE = 8
"""While people wait, one of so many hints is taken from the games of bots alone."""
UNKNOWN = "-"
"""Stands for the owner of games whose owner is not known; they share one turn."""


class Hint(NamedTuple):
    """In this game a bot must act since `due` (ms since the epoch, by the log server's clock).

    `owner` is the player who opened the game, and `people` tells whether a person waits for it.
    """

    game: str
    due: int
    owner: str = UNKNOWN
    people: bool = True


_SOUND = """
local function sound(key, kind)
  local found = redis.call('TYPE', key)['ok']
  if found ~= kind and found ~= 'none' then
    redis.call('DEL', key)
  end
end
for line = 1, 3, 2 do
  sound(KEYS[line], 'zset')
  sound(KEYS[line + 1], 'hash')
end
"""

PUT = f"""
-- Puts hints into their lines; a hint that waits there already keeps its place.
--
-- KEYS  1 people, 2 people:places, 3 bots, 4 bots:places
-- ARGV  for each hint the number of its line's key, the hint as the line has it, its owner
--
-- Reason: a place follows from the places of others, who may come and go at the same moment.
{_SOUND}
local function place(line, places, owner)
  local first = redis.call('ZRANGE', line, 0, 0, 'WITHSCORES')
  if not first[1] then
    redis.call('DEL', places)
    return 1
  end
  local function known(name)
    return tonumber(redis.call('HGET', places, name)) or 0
  end
  -- `taken` may have been lost: nobody comes before those who wait already.
  return math.max(known('taken'), first[2] - 1, known(owner)) + 1
end
for at = 1, #ARGV, 3 do
  local number, hint, owner = tonumber(ARGV[at]), ARGV[at + 1], ARGV[at + 2]
  local line, places = KEYS[number], KEYS[number + 1]
  if not redis.call('ZSCORE', line, hint) then
    local at_place = place(line, places, owner)
    redis.call('ZADD', line, at_place, hint)
    redis.call('HSET', places, owner, at_place)
  end
end
"""

TAKE = f"""
-- Takes the hint that is next.
--
-- KEYS  1 people, 2 people:places, 3 bots, 4 bots:places
-- ARGV  1 how many hints are taken for each one of bots alone, while people wait
-- gives the hint and the number of its line's key, or nothing where no hint waits
--
-- Reason: two workers must not take one hint, and what is known of its owner must go with it.
{_SOUND}
local function take(number)
  local line, places = KEYS[number], KEYS[number + 1]
  local hint, place = unpack(redis.call('ZPOPMIN', line))
  local owner = string.match(hint, '%S*$')
  if tonumber(redis.call('HGET', places, owner)) == tonumber(place) then
    redis.call('HDEL', places, owner)
  end
  redis.call('HSET', places, 'taken', place)
  return {{hint, number}}
end
local people, bots = redis.call('ZCARD', KEYS[1]), redis.call('ZCARD', KEYS[3])
if bots == 0 then
  return people > 0 and take(1) or false
end
local passed = tonumber(redis.call('HGET', KEYS[4], 'passed')) or 0
if people == 0 or passed + 1 >= tonumber(ARGV[1]) then
  redis.call('HDEL', KEYS[4], 'passed')
  return take(3)
end
redis.call('HSET', KEYS[4], 'passed', passed + 1)
return take(1)
"""

LOOK = f"""
-- Looks at the lines and at the queue of the jobs that take from them.
--
-- KEYS  1 people, 2 people:places, 3 bots, 4 bots:places, 5 the list of the jobs that wait
-- gives the hints in people, those in bots, and how many jobs are missing: fewer wait than hints
--
-- Reason: hints and jobs must be counted in the same instant, for workers take both all the time.
{_SOUND}
sound(KEYS[5], 'list')
local people, bots = redis.call('ZRANGE', KEYS[1], 0, -1), redis.call('ZRANGE', KEYS[3], 0, -1)
return {{people, bots, math.max(0, #people + #bots - redis.call('LLEN', KEYS[5]))}}
"""


def written(hints: Iterable[Hint]) -> list[str | int]:
    """Return hints as the arguments of `PUT`."""
    return [argument for hint in hints for argument in (1 if hint.people else 3, _member(hint), hint.owner)]


def read(member: bytes, number: int) -> Hint | None:
    """Return the hint that a line has, by the number of the line's key; None where it cannot be read.

    >>> read(b"17k3v9k3v9k3v9k3v9 1795000000000 p07k3v9xq2mza", 3)
    Hint(game='17k3v9k3v9k3v9k3v9', due=1795000000000, owner='p07k3v9xq2mza', people=False)
    """
    try:
        game, due, owner = member.decode().split(" ")
        return Hint(game, int(due), owner, people=number == 1)
    except ValueError:
        return None


def failed_key(game_id: str) -> str:
    """Return the key that says for which turn of a game a job could do nothing."""
    return f"{PREFIX}failed:{game_id}"


def _member(hint: Hint) -> str:
    return f"{hint.game} {hint.due} {hint.owner}"
