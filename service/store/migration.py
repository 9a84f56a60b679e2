"""Migrations: converts a store from one layout to the next, shard by shard. While one shard is being converted, the
games in all other shards continue.

A migration fences a shard before it changes anything in the shard. From then on, only migrations write to the shard,
until the shard has its new layout number. Each step of a migration processes the shard in batches. One script applies a
batch and also advances the position in the shard's key. If a migration is killed, the next migration therefore resumes
where the killed migration stopped. Two migrations that run at the same time do not repeat each other's work.

The first shard is migrated first, because web and clock processes record there that they are running. While these
processes cannot record that they are running, no player's time runs out. Players get this time back later, as they do
after any outage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from . import keys
from .connection import Server
from .errors import OtherLayout
from .layout import State, key_of, number_shards, refusal, states
from .lua import script
from .transport import Command


class Batch(NamedTuple):
    """One batch of a step: the writes, and the cursor after this batch. The cursor is None after a shard's last batch.

    The first argument of each command in `writes` is its key, which must be in the shard. Repeating any of the commands
    must be harmless, because the batch is reapplied if a later command fails. The server does nothing else while it
    applies a batch, so a batch should be small.
    """

    writes: Sequence[Command]
    cursor: str | None


Step = Callable[[Server, int, str], Batch]
"""A function that reads part of a shard and returns the batch to write. The arguments are the server, the shard, and a
cursor that is "" at first."""
Migrations = Mapping[int, Sequence[Step]]

MIGRATIONS: dict[int, Sequence[Step]] = {}
"""The steps from each layout to the next layout."""

APPLY = script("migrate_shard", fenced=False)


def migrate(server: Server, migrations: Migrations = MIGRATIONS) -> Iterator[int]:
    """Migrate all shards to the layout that `server` uses. After each batch, yield the number of shards that already
    have this layout.

    The caller can stop iterating at any time, and resume later. Raises: StoreError, which includes OtherLayout if the
    store has a later layout or a layout without a migration.
    """
    number_shards(server.ask_all, server.layout)
    _require_steps(states(server.ask_all), server.layout, migrations)
    for shard in range(keys.SHARDS):
        while (state := _state(server, shard)) != State(server.layout):
            batch, after = _next(server, shard, state, migrations)
            _apply(server, shard, state, batch.writes, after)
            yield shard
    yield keys.SHARDS


def _require_steps(shard_states: Sequence[State | None], layout: int, migrations: Migrations) -> None:
    numbered = [state for state in shard_states if state is not None]
    error = refusal([state for state in numbered if max(state.number, state.to or 0) > layout], layout)
    if error is not None:
        raise error
    missing = set(range(min(state.number for state in numbered), layout)) - migrations.keys()
    if missing:
        raise OtherLayout(f"the store has layout {min(missing)}, which this version cannot migrate")


def _state(server: Server, shard: int) -> State:
    (state,) = states(server.ask_all, [shard])
    assert state is not None, "all shards have numbers"
    return state


def _next(server: Server, shard: int, state: State, migrations: Migrations) -> tuple[Batch, State]:
    """Return a shard's next batch, and the shard's state after this batch: fenced, one batch further, or migrated."""
    if state.to is None:
        return Batch((), None), State(state.number, state.number + 1)
    steps = migrations[state.number]
    if state.step == len(steps):
        return Batch((), None), State(state.to)
    batch = steps[state.step](server, shard, state.cursor)
    if batch.cursor is None:
        return batch, state._replace(step=state.step + 1, cursor="")
    if batch.cursor == state.cursor:
        raise ValueError(f"step {state.step} from layout {state.number} does not move its cursor")
    return batch, state._replace(cursor=batch.cursor)


def _apply(server: Server, shard: int, before: State, writes: Sequence[Command], after: State) -> None:
    """Write a batch, unless the shard's state has changed because another process is also migrating the shard."""
    where = [key_of(shard)]
    args: list[Any] = [before.to_text(), after.to_text()]
    for name, key, *arguments in writes:
        where.append(key)
        args += [name, len(arguments), *arguments]
    server.ask(*APPLY.command(where, args))
