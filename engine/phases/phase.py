"""What a phase is: one moment of the game in which it waits for one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ..chance import Chance
    from ..commands import Command
    from ..events import Event
    from ..state import State


class Phase(NamedTuple):
    """One moment of the game.

    `commands` are the types of command it takes; `legal` lists the commands of the seat to act; `check` raises a
    Refusal for a command that is not among them; `decide` yields what follows from a checked one; `go_on` puts the
    question again after any seat has left, to the seat that is to answer it now, or goes on where none is.
    """

    commands: tuple[type[Command], ...]
    legal: Callable[[State], list[Command]]
    check: Callable[[State, Any], None]
    decide: Callable[[State, Any, Chance], Iterator[Event]]
    go_on: Callable[[State, Chance], Iterable[Event]]
