"""The engine's exceptions.

EngineError
├── UnknownEdition      there is no edition with this key, or no such revision of it
├── BadOption           the edition does not have this option, the value is not allowed, or two options conflict
├── WrongSeats          the edition does not support this number of seats
├── Refusal             the rules forbid this command now
└── BadRecord           a record or a notation is invalid, or a command names a card or a region that does not exist

Each exception has a message for people and a `code` for programs, which is stable and in kebab-case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .commands import Command


class EngineError(Exception):
    """The base class of the engine's exceptions."""

    code = "engine-error"


class UnknownEdition(EngineError):
    """There is no edition with this key, or the edition does not have this revision."""

    code = "unknown-edition"


class BadOption(EngineError):
    """The edition does not have this option, the option does not allow this value, or two options conflict."""

    code = "bad-option"

    def __init__(self, message: str, option: str, *, edition: str, clause: str | None = None) -> None:
        """Set the invalid option, the edition's key, and the clause, if any, that forbids combining options."""
        super().__init__(message)
        self.option, self.edition, self.clause = option, edition, clause


class WrongSeats(EngineError):
    """The edition does not support this number of seats: it supports `fewest` to `most` seats."""

    code = "wrong-seats"

    def __init__(self, message: str, *, edition: str, clause: str, fewest: int, most: int) -> None:
        """Set the range of seats that the edition supports, and the number of the clause that states this range."""
        super().__init__(message)
        self.edition, self.clause, self.fewest, self.most = edition, clause, fewest, most


class Refusal(EngineError):
    """The rules forbid this command in this position. The state has not changed.

    `field` is the name of the command's invalid field, or None if the whole command is wrong. `edition` is the key of
    the game's edition. `clause` is the number of the clause in the edition's rules document that forbids the command.
    `legal` lists the commands that are legal for this seat now.
    """

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        """Set the code, the message and the field; the engine adds the other attributes."""
        super().__init__(message)
        self.code = code
        self.field = field
        self.edition = ""
        self.clause = ""
        self.legal: tuple[Command, ...] = ()


class BadRecord(EngineError):
    """A record or a notation is invalid, or a command names a card or a region that does not exist."""

    code = "bad-record"
