"""The number of the store's layout: which keys there are and what they hold, as `keys` says.

Each shard has the number in its key `layout`. Release 0.1.0 wrote none, so a store without it has layout 1, but for an
empty one, which gets the number of whoever writes first. While a shard is migrated its key holds `1>2 <step> <cursor>`.

Every script begins with `fence.lua`: it does nothing in a shard that does not have the number of its process. So a
process of another version, also one that was there before the migration, writes nothing. Some commands write without a
script, and are harmless in any layout: the server's secret is set where there is none, and a game is taken off the list
of those set aside. Reads are not fenced, except those of logs. Release 0.1.0 does not look at the number.

Raise `LAYOUT` when an earlier version would read or write anything wrong, and add the steps to `migration.MIGRATIONS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from . import keys
from .errors import DamagedData, OtherLayout, StoreError
from .transport import Command

LAYOUT = 1
"""The layout that this version reads and writes."""
FIRST = 1
"""The layout of a store that has data and no number."""
Ask = Callable[[Sequence[Command]], list[Any]]
"""Returns the answers to commands, or raises."""

_TAGGED = len(keys.of_shard(0, ""))
_REFUSED = re.compile(r"LAYOUT (\d+) (\S+) (.*)", re.DOTALL)
"""How `fence.lua` refuses: the layout of the process, the shard's key, and what this holds."""
_STATE = re.compile(r"(\d{1,9})(?:>(\d{1,9}) (\d{1,9}) (.*))?", re.DOTALL)


class State(NamedTuple):
    """Where a shard is: it has layout `number`, or is being migrated from it to layout `to`, at a step and a cursor."""

    number: int
    to: int | None = None
    step: int = 0
    cursor: str = ""

    def written(self) -> str:
        """Return the state as the shard's key holds it.

        >>> State(1).written(), State(1, 2, 0, "17k3").written()
        ('1', '1>2 0 17k3')
        """
        return str(self.number) if self.to is None else f"{self.number}>{self.to} {self.step} {self.cursor}"


def key_of(shard: int) -> str:
    """Return the key of a shard's number."""
    return keys.of_shard(shard, "layout")


def key_beside(key: str) -> str:
    """Return the key of the number of the shard in which another key lies.

    >>> key_beside("condottiere:{s17}:due")
    'condottiere:{s17}:layout'
    """
    return key[:_TAGGED] + "layout"


def state_in(key: str, value: str) -> State:
    """Return the state that a shard's key holds. Raises: DamagedData.

    >>> state_in(key_of(17), "1"), state_in(key_of(17), "1>2 0 17k3")
    (State(number=1, to=None, step=0, cursor=''), State(number=1, to=2, step=0, cursor='17k3'))
    """
    found = _STATE.fullmatch(value)
    if found is None:
        raise DamagedData(f"{key} does not hold the number of a layout")
    number, to, step, cursor = found.groups()
    return State(int(number)) if to is None else State(int(number), int(to), int(step), cursor)


def states(ask: Ask, shards: Iterable[int] = range(keys.SHARDS)) -> list[State | None]:
    """Return the states of shards, None where one has no number; one round trip. Raises: DamagedData."""
    where = [key_of(shard) for shard in shards]
    values = ask([("GET", key) for key in where])
    return [
        None if value is None else state_in(key, value.decode(errors="replace"))
        for key, value in zip(where, values, strict=True)
    ]


def number_shards(ask: Ask, layout: int) -> None:
    """Give the shards without a number theirs, for a process of this layout; at most three round trips.

    A writer that was interrupted may have numbered only some: the others have the same. Raises: DamagedData.
    """
    found = states(ask)
    missing = [shard for shard, state in enumerate(found) if state is None]
    known = [state.number for state in found if state is not None]
    if missing:
        number = min(known) if known else layout if layout == FIRST or _is_empty(ask) else FIRST
        ask([("SET", key_of(shard), number, "NX") for shard in missing])


def refusal(found: Iterable[State], layout: int) -> OtherLayout | None:
    """Return why a process of a layout may not work with shards in these states, None where it may."""
    others = [state for state in found if state != State(layout)]
    if not others:
        return None
    latest = max(max(state.number, state.to or 0) for state in others)
    migrating = any(state.to is not None for state in others)
    if latest > layout:
        verb = "is being migrated to" if migrating else "has"
        said, todo = f"the store {verb} layout {latest}", f"start a version that works with layout {latest}"
    elif migrating:
        said, todo = f"the store's migration to layout {latest} is not finished", "run `condottiere migrate`"
    else:
        said, todo = f"the store has layout {min(others).number}", "run `condottiere migrate`"
    return OtherLayout(f"{said}, but this version works with layout {layout}: {todo}")


def must_be(layout: int, shard: int, value: bytes | None) -> None:
    """Do nothing where a shard's key holds a layout, or there is no such key. Raises: OtherLayout, DamagedData."""
    if value is not None and value != b"%d" % layout:
        error = refusal([state_in(key_of(shard), value.decode(errors="replace"))], layout)
        if error is not None:
            raise error


def lacks_number(error: Exception) -> bool:
    """Tell whether a script was refused because its shard has no number yet."""
    refused = _REFUSED.fullmatch(str(error))
    return refused is not None and not refused[3]


def meaning_of(error: Exception) -> StoreError | None:
    """Return what it means that a script was refused by its fence, None for any other error."""
    refused = _REFUSED.fullmatch(str(error))
    if refused is None:
        return None
    layout, key, value = refused.groups()
    try:
        return refusal([state_in(key, value)], int(layout))
    except DamagedData as damage:
        return damage


def _is_empty(ask: Ask) -> bool:
    """Tell whether nobody has used the store: a web or a clock leaves `presence` there, and a game its summary."""
    used = [keys.of_shard(0, "presence"), keys.of_shard(0, "secret")]
    used += [keys.of_shard(shard, kind) for shard in range(keys.SHARDS) for kind in ("summaries", "outbox")]
    return not any(ask([("EXISTS", key) for key in used]))
