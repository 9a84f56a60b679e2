"""What can go wrong in the store.

StoreError
├── StoreUnavailable    no answer within bounded retries: nothing was written, or it was and the answer was lost
│   ├── StoreForbids    the server answers, and forbids what was asked
│   └── OtherLayout     the data are in a layout that this version does not work with
├── DamagedData         a key does not hold what it should; it is left as it is
├── CorruptLog          the log of a game cannot be read; it is left as it is
│   └── UnknownFormat   a later version has written it: this one does not know the format, or the edition's revision
├── NameTaken           another player has this name
├── UnknownPlayer       no player has this id
├── BadCursor           a list's cursor is none that the store has given
├── TooManyWebhooks     a player has as many webhooks as anybody may have
└── TooManyWaits        as many requests wait for events here as may
"""

from __future__ import annotations

import re


class StoreError(Exception):
    """The root of the store's errors."""


class StoreUnavailable(StoreError):
    """The log server did not answer, or refused to work; asking again after `retry_after` seconds is safe."""

    retry_after = 1


class StoreForbids(StoreUnavailable):
    """The log server forbids what was asked, by its access control list; what others ask may be allowed."""


class OtherLayout(StoreUnavailable):
    """The data are in a layout that this version does not work with; nothing was written. The message says what to do.

    This process will not serve again before the data are migrated, or ever; another one may, so ask again later.
    """

    retry_after = 10


class DamagedData(StoreError):
    """A key does not hold what it should, such as a value of another type; nothing was written.

    The message is the server's own, or ours; it names types and keys but no values.
    """

    @property
    def key(self) -> str | None:
        """The key that the message names, if it names one."""
        named = re.search(r"condottiere:\{s[0-9]{2}\}:\S+", str(self))
        return named[0] if named else None


class CorruptLog(StoreError):
    """The log of `game_id` cannot be read: bytes that are no commit, a gap, or a seed that is missing."""

    def __init__(self, game_id: str) -> None:
        """Name the game, and nothing of what its log holds."""
        super().__init__(f"the log of game {game_id} cannot be read")
        self.game_id = game_id


class UnknownFormat(CorruptLog):
    """A later version has written to `game_id`: this one does not know a commit's format, or the edition's revision."""

    def __init__(self, game_id: str) -> None:
        """Name the game, and nothing of what its log holds."""
        super().__init__(game_id)
        self.args = (f"a later version wrote the log of game {game_id} in a format that this version does not know",)


class NameTaken(StoreError):
    """Another player has this name, in whatever case it is written."""

    def __init__(self, name: str) -> None:
        """Name the name."""
        super().__init__(f"another player is called {name}")
        self.name = name


class UnknownPlayer(StoreError):
    """No player has this id."""


class BadCursor(StoreError):
    """A cursor that no page of a list has given."""


class TooManyWebhooks(StoreError):
    """A player has as many webhooks as anybody may have."""


class TooManyWaits(StoreError):
    """As many requests wait in this process as may; come back after `retry_after` seconds."""

    retry_after = 5
