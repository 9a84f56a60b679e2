"""The number of the store's layout. A layout is a set of keys and their contents, as `keys` describes them.

Each shard stores the number of its layout in its key `layout`. Release 0.1.0 wrote no number, so a store with data and
no number has layout 1. An empty store gets the layout number of the first process that writes to it. While a shard is
being migrated from layout 1 to layout 2, its key `layout` holds `1>2 <step> <cursor>`.

Every script begins with `fence.lua`, except `read_hash` and the scripts that migrations run. If the shard and the
calling process have different layout numbers, the script does nothing. A process that runs another version therefore
writes nothing, even if it was started before the data were migrated.

A few commands write without a script. These commands are harmless in any layout. Some of them set the server's secret,
the server's key for push services or a shard's number, but never replace an existing value. Other commands of this kind
turn read-only mode on or off, record the current secret key, shorten the audit log, or remove a game from the list of
set-aside games. Reads without a script check the number only when they read a log. Release 0.1.0 does not check the
number.

If a change would make an earlier version read or write anything incorrectly, increase `LAYOUT` and add the steps to
`migration.MIGRATIONS`.
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
"""The layout of a store that has data but no layout number."""
Ask = Callable[[Sequence[Command]], list[Any]]
"""A function that runs commands and returns the replies, or raises an error."""

_TAGGED = len(keys.of_shard(0, ""))
_FENCE_ERROR = re.compile(r"LAYOUT (\d+) (\S+) (.*)", re.DOTALL)
"""The error of `fence.lua`: the layout of the process, the shard's key, and the key's value."""
_STATE = re.compile(r"(\d{1,9})(?:>(\d{1,9}) (\d{1,9}) (.*))?", re.DOTALL)


class State(NamedTuple):
    """A shard's state.

    If `to` is None, the shard has layout `number`. Otherwise, the shard is being migrated from `number` to `to`.

    During a migration, `step` and `cursor` say which part of the shard is migrated next.
    """

    number: int
    to: int | None = None
    step: int = 0
    cursor: str = ""

    def to_text(self) -> str:
        """Return the state as text, in the form in which the shard's key stores it.

        >>> State(1).to_text(), State(1, 2, 0, "17k3").to_text()
        ('1', '1>2 0 17k3')
        """
        return str(self.number) if self.to is None else f"{self.number}>{self.to} {self.step} {self.cursor}"


def key_of(shard: int) -> str:
    """Return the key that holds a shard's layout number."""
    return keys.of_shard(shard, "layout")


def key_beside(key: str, name: str = "layout") -> str:
    """Return a key in the same shard as another key: by default, the key of the layout number.

    >>> key_beside("condottiere:{s17}:due"), key_beside("condottiere:{s17}:due", "closed")
    ('condottiere:{s17}:layout', 'condottiere:{s17}:closed')
    """
    return key[:_TAGGED] + name


def state_in(key: str, value: str) -> State:
    """Return the state that is stored in a shard's key. Raises: DamagedData.

    >>> state_in(key_of(17), "1"), state_in(key_of(17), "1>2 0 17k3")
    (State(number=1, to=None, step=0, cursor=''), State(number=1, to=2, step=0, cursor='17k3'))
    """
    match = _STATE.fullmatch(value)
    if match is None:
        raise DamagedData(f"{key} does not contain a layout number")
    number, to, step, cursor = match.groups()
    return State(int(number)) if to is None else State(int(number), int(to), int(step), cursor)


def states(ask: Ask, shards: Iterable[int] = range(keys.SHARDS)) -> list[State | None]:
    """Return the states of shards (None for a shard without a number). Takes one round trip. Raises: DamagedData."""
    where = [key_of(shard) for shard in shards]
    values = ask([("GET", key) for key in where])
    return [
        None if value is None else state_in(key, value.decode(errors="replace"))
        for key, value in zip(where, values, strict=True)
    ]


def number_shards(ask: Ask, layout: int) -> None:
    """Write a layout number to each shard that has none, for a process with this `layout`.

    Takes at most three round trips. If an earlier call was interrupted, only some shards have a number. The other
    shards then get the same number. Raises: DamagedData.
    """
    shard_states = states(ask)
    missing = [shard for shard, state in enumerate(shard_states) if state is None]
    numbers = [state.number for state in shard_states if state is not None]
    if missing:
        number = min(numbers) if numbers else layout if layout == FIRST or _is_empty(ask) else FIRST
        ask([("SET", key_of(shard), number, "NX") for shard in missing])


def refusal(shard_states: Iterable[State], layout: int) -> OtherLayout | None:
    """Return the error that prevents a process with this layout from using shards in these states, or None."""
    other_states = [state for state in shard_states if state != State(layout)]
    if not other_states:
        return None
    latest = max(max(state.number, state.to or 0) for state in other_states)
    migrating = any(state.to is not None for state in other_states)
    if latest > layout:
        verb = "is being migrated to" if migrating else "has"
        finding, todo = f"the store {verb} layout {latest}", f"start a version that works with layout {latest}"
    elif migrating:
        finding, todo = f"the store's migration to layout {latest} is not finished", "run `condottiere migrate`"
    else:
        finding, todo = f"the store has layout {min(other_states).number}", "run `condottiere migrate`"
    return OtherLayout(f"{finding}, but this version works with layout {layout}: {todo}")


def require_layout(layout: int, shard: int, value: bytes | None) -> None:
    """Check that a shard's key holds this layout, or does not exist. Raises: OtherLayout, DamagedData."""
    if value is not None and value != b"%d" % layout:
        error = refusal([state_in(key_of(shard), value.decode(errors="replace"))], layout)
        if error is not None:
            raise error


def lacks_number(error: Exception) -> bool:
    """Return whether a script was refused because its shard has no layout number yet."""
    match = _FENCE_ERROR.fullmatch(str(error))
    return match is not None and not match[3]


def fence_error(error: Exception) -> StoreError | None:
    """Return the `StoreError` for a refusal by `fence.lua`, or None for any other error."""
    match = _FENCE_ERROR.fullmatch(str(error))
    if match is None:
        return None
    layout, key, value = match.groups()
    try:
        return refusal([state_in(key, value)], int(layout))
    except DamagedData as damage:
        return damage


def _is_empty(ask: Ask) -> bool:
    """Return whether the store is unused: it has no games, no `secret`, and no `presence` of a process."""
    used_keys = [keys.of_shard(0, "presence"), keys.of_shard(0, "secret")]
    used_keys += [keys.of_shard(shard, kind) for shard in range(keys.SHARDS) for kind in ("summaries", "outbox")]
    return not any(ask([("EXISTS", key) for key in used_keys]))
