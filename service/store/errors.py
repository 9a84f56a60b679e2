"""The errors of the store.

StoreError
├── StoreUnavailable    no answer after all retries: nothing was written, or the answer was lost after the write
│   ├── StoreForbids    the server answers, but denies permission for the command
│   ├── OtherLayout     the data have a layout that this version does not support
│   └── ReadOnlyMode    the host has made the store read-only
├── DamagedData         a key holds unexpected data, which are not changed
├── CorruptLog          the log of a game cannot be read, and is not changed
│   └── UnknownFormat   a later version wrote the log, with a format or revision that this version does not know
├── NameTaken           another player has this name
├── UnknownPlayer       no player has this id
├── UnknownToken        the player no longer has this token
├── BadCursor           a cursor is not one that the store returned
├── TooManyTokens       a player already has the maximum number of tokens
├── TooManyWebhooks     a player already has the maximum number of webhooks
└── TooManyWaits        too many requests are already waiting for events in this process
"""

from __future__ import annotations

import re


class StoreError(Exception):
    """The base class of the store's errors."""


class StoreUnavailable(StoreError):
    """The log server did not answer, or refused to work. A retry is safe after `retry_after` seconds."""

    retry_after = 1


class StoreForbids(StoreUnavailable):
    """The log server's access control list denies permission for a command. Other commands may be allowed."""


class OtherLayout(StoreUnavailable):
    """The data have a layout that this version does not support. Nothing was written. The message says what to do.

    This process cannot serve requests until the data are migrated, which may never happen. However, a retry may reach
    another process that supports the data's layout.
    """

    retry_after = 10


class ReadOnlyMode(StoreUnavailable):
    """The host has made the store read-only. Nothing was written. Reads work as usual."""

    retry_after = 10


class DamagedData(StoreError):
    """A key holds unexpected data, such as a value of the wrong type. Nothing was written.

    The message comes from the server or from the store, and names types and keys but no values.
    """

    @property
    def key(self) -> str | None:
        """The key that the message names, or None if the message names no key."""
        match = re.search(r"condottiere:\{s[0-9]{2}\}:\S+", str(self))
        return match[0] if match else None


class CorruptLog(StoreError):
    """The log of `game_id` cannot be read: the log holds bytes that are not a commit, has a gap, or has no seed."""

    def __init__(self, game_id: str) -> None:
        """Create a message that names the game and quotes nothing from its log."""
        super().__init__(f"the log of game {game_id} cannot be read")
        self.game_id = game_id


class UnknownFormat(CorruptLog):
    """A later version wrote to the log of `game_id`: a commit has an unknown format or revision."""

    def __init__(self, game_id: str) -> None:
        """Create a message that names the game and quotes nothing from its log."""
        super().__init__(game_id)
        self.args = (f"a later version wrote the log of game {game_id} in a format that this version does not know",)


class NameTaken(StoreError):
    """Another player has this name (ignoring case)."""

    def __init__(self, name: str) -> None:
        """Create a message that quotes the name."""
        super().__init__(f"another player is called {name}")
        self.name = name


class UnknownPlayer(StoreError):
    """No player has this id."""


class UnknownToken(StoreError):
    """The player no longer has this token."""


class BadCursor(StoreError):
    """A cursor is invalid: it did not come from a page of a list."""


class TooManyTokens(StoreError):
    """The player already has the maximum number of tokens."""


class TooManyWebhooks(StoreError):
    """The player already has the maximum number of webhooks."""


class TooManyWaits(StoreError):
    """Too many requests are already waiting in this process. Retry after `retry_after` seconds."""

    retry_after = 5
