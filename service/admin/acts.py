"""Acts: the service records each of the host's actions in the audit log before the action takes effect."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from engine import EngineError

from ..games.repository import Games
from ..idempotency import Attempt
from ..problems import Problem
from ..store.errors import StoreError
from ..store.transport import Command

COMMAND_LINE, HTTP = "command-line", "http"
"""The interfaces through which the host can act."""
NOT_CARRIED_OUT = "not-carried-out"
"""The kind of action in an audit line that reports the failure of an earlier action."""

Json = dict[str, Any]


class Actor(NamedTuple):
    """The person who acts on behalf of the host.

    On the command line, `by` is the name of the operating system user. Over HTTP, `by` is a player and `token` is the
    name of the player's token. `attempt` is set if the request has an Idempotency-Key.
    """

    via: str
    by: str
    token: str | None = None
    attempt: Attempt | None = None


class Act(NamedTuple):
    """One of the host's actions: its name, its target (the id of a player or a game), the reason, and other members."""

    name: str
    target: str | None
    reason: str | None
    members: Json


def act(name: str, target: str | None = None, reason: str | None = None, /, **members: Any) -> Act:
    """Return an action, without the members that are None."""
    return Act(name, target, reason, {key: value for key, value in members.items() if value is not None})


def record(games: Games, actor: Actor, act: Act, writes: Sequence[Command] = ()) -> str:
    """Record an action in the audit log, run the `writes` in the same step, and return the id of the new line.

    The docstring of `store.audit.record` says which writes are allowed. A repeated request does not add a second line
    for its action. Raises: StoreError.
    """
    number = secrets.token_hex(16) if actor.attempt is None else actor.attempt.derive("act").hex()
    return games.store.audit.record(number, _line(games, actor, act), writes)


@contextmanager
def recorded(games: Games, actor: Actor, act: Act) -> Iterator[str]:
    """Record an action, and yield the id of its line. The caller's `with` block then carries out the action.

    If the block fails, a second line records the failure. If the process dies during the block, there is no second
    line, and the action may or may not have taken effect. Raises: StoreError. If the first line cannot be written, the
    block does not run.
    """
    line = record(games, actor, act)
    try:
        yield line
    except (Problem, EngineError, StoreError) as error:
        code = getattr(error, "code", None) or type(error).__name__
        failed = Act(NOT_CARRIED_OUT, act.target, None, {"line": line, "error": code})
        with suppress(StoreError):
            games.store.audit.record(secrets.token_hex(16), _line(games, actor, failed))
        raise


def _line(games: Games, actor: Actor, act: Act) -> Json:
    return {
        "at": games.now(),
        "via": actor.via,
        "by": actor.by,
        "token": actor.token,
        "act": act.name,
        "target": act.target,
        "reason": act.reason,
        "details": act.members,
    }
