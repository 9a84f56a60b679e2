"""Migrations: how a store comes from one layout to the next, shard by shard, while others play on in the other shards.

A shard is fenced before anything in it changes, so no process of either version writes there until it has its new
number. Each step goes through it in batches. One script applies a batch and moves on the place in the shard's key, so a
migration that is killed goes on where it was, and two at once do nothing twice.

The first shard comes first: there the web and the clock say that they are there. From then on nobody's time runs out,
and the time is credited later like that of any outage.
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
    """What a step writes at once, and the cursor after it; None where the step is done with the shard.

    Each of the `writes` has its key, which lies in the shard, as its first argument. It must do no harm when it is done
    again after the one behind it has failed. The server does nothing else meanwhile, so a batch should be small.
    """

    writes: Sequence[Command]
    cursor: str | None


Step = Callable[[Server, int, str], Batch]
"""Reads some of a shard and says what to write, from the server, the shard and a cursor, "" at first."""
Migrations = Mapping[int, Sequence[Step]]

MIGRATIONS: dict[int, Sequence[Step]] = {}
"""The steps from each layout to the next one."""

APPLY = script("migrate_shard", fenced=False)


def migrate(server: Server, migrations: Migrations = MIGRATIONS) -> Iterator[int]:
    """Bring all shards to the layout of `server`; yield after each batch how many have it.

    Whoever stops asking interrupts it, and may go on later. Raises: StoreError, and with it OtherLayout where the store
    has a later layout, or no steps lead from the one that it has.
    """
    number_shards(server.ask_all, server.layout)
    _must_lead_there(states(server.ask_all), server.layout, migrations)
    for shard in range(keys.SHARDS):
        while (state := _state(server, shard)) != State(server.layout):
            batch, after = _next(server, shard, state, migrations)
            _apply(server, shard, state, batch.writes, after)
            yield shard
    yield keys.SHARDS


def _must_lead_there(found: Sequence[State | None], layout: int, migrations: Migrations) -> None:
    known = [state for state in found if state is not None]
    later = refusal([state for state in known if max(state.number, state.to or 0) > layout], layout)
    if later is not None:
        raise later
    missing = set(range(min(state.number for state in known), layout)) - migrations.keys()
    if missing:
        raise OtherLayout(f"the store has layout {min(missing)}, which this version cannot migrate")


def _state(server: Server, shard: int) -> State:
    (state,) = states(server.ask_all, [shard])
    assert state is not None, "all shards have numbers"
    return state


def _next(server: Server, shard: int, state: State, migrations: Migrations) -> tuple[Batch, State]:
    """Return what to do in a shard, and where it is after that: fenced, a batch further, or migrated."""
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
    """Write a batch, unless the shard is elsewhere by now: then somebody else migrates it, too."""
    where = [key_of(shard)]
    args: list[Any] = [before.written(), after.written()]
    for name, key, *rest in writes:
        where.append(key)
        args += [name, len(rest), *rest]
    server.ask(*APPLY.command(where, args))
