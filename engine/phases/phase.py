"""The type `Phase`: a part of the game in which the game waits for one seat's command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


class Phase(NamedTuple):
    """A phase of the game.

    `commands` are the types of command that the phase accepts. `legal` returns the legal commands of the seat to act;
    `check` raises a Refusal for any other command. `decide` yields the events that follow from a checked command.
    After a seat has resigned, `resume` yields the events that continue the phase. If there is still a seat to ask, the
    phase asks that seat. Otherwise, `resume` continues with the steps after the phase.
    """

    commands: tuple[type[Command], ...]
    legal: Callable[[State], list[Command]]
    check: Callable[[State, Any], None]
    decide: Callable[[State, Any, Chance], Iterator[Event]]
    resume: Callable[[State, Chance], Iterable[Event]]
