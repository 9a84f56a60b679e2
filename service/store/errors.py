"""What can go wrong in the store.

StoreError
├── StoreUnavailable    no answer within bounded retries: nothing was written, or it was and the answer was lost
├── CorruptLog          the log of a game cannot be read; it is left as it is
├── NameTaken           another player has this name
├── UnknownPlayer       no player has this id
├── BadCursor           a list's cursor is none that the store has given
├── TooManyWebhooks     a player has as many webhooks as anybody may have
└── TooManyWaits        as many requests wait for events here as may
"""

from __future__ import annotations


class StoreError(Exception):
    """The root of the store's errors."""


class StoreUnavailable(StoreError):
    """The log server did not answer, or would not write; asking again after `retry_after` seconds is safe."""

    retry_after = 1


class CorruptLog(StoreError):
    """The log of `game_id` cannot be read: bytes that are no commit, a gap, or a seed that is missing."""

    def __init__(self, game_id: str) -> None:
        """Name the game, and nothing of what its log holds."""
        super().__init__(f"the log of game {game_id} cannot be read")
        self.game_id = game_id


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
