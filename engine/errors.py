"""What can go wrong in the engine.

EngineError
├── UnknownEdition      no edition has this key, or not at this revision
├── BadOption           the edition has no such option, or the option no such value
├── WrongSeats          the edition is not played by so many
├── Refusal             the rules forbid this command now
└── BadRecord           a stored event or a sent command cannot be read, or names what does not exist

Each carries `code`, stable and in kebab-case, for programs, and a message for people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .commands import Command


class EngineError(Exception):
    """The root of the engine's errors."""

    code = "engine-error"


class UnknownEdition(EngineError):
    """No edition has this key, or the edition has no such revision."""

    code = "unknown-edition"


class BadOption(EngineError):
    """The edition has no such option, or the option does not take this value."""

    code = "bad-option"

    def __init__(self, message: str, option: str, *, edition: str, clause: str | None = None) -> None:
        """Name the `option` that was asked for, and the `clause` of the `edition` where its rulebook forbids it."""
        super().__init__(message)
        self.option, self.edition, self.clause = option, edition, clause


class WrongSeats(EngineError):
    """The edition is played by fewer or more seats than asked for; `fewest` and `most` are its own range."""

    code = "wrong-seats"

    def __init__(self, message: str, *, edition: str, clause: str, fewest: int, most: int) -> None:
        """Cite the `clause` of the `edition` that sets the range."""
        super().__init__(message)
        self.edition, self.clause, self.fewest, self.most = edition, clause, fewest, most


class Refusal(EngineError):
    """The rules forbid this command in this position; nothing has changed.

    `field` names the part of the command that is at fault, or is None where the command as a whole is. `clause` is the
    number of a clause in the edition's rules document, `legal` what that seat may ask instead.
    """

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        """Refuse with a stable `code`."""
        super().__init__(message)
        self.code = code
        self.field = field
        self.edition = ""
        self.clause = ""
        self.legal: tuple[Command, ...] = ()


class BadRecord(EngineError):
    """A plain dict is not the record of an event or of a command, or a command names what no edition has."""

    code = "bad-record"
