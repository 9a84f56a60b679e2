"""Outages: one log line when a server becomes unavailable and one when it is back, however many attempts fail."""

from __future__ import annotations

import logging


class Outage:
    """An outage of a server. `begin` and `end` may be called repeatedly, but only changes are logged."""

    def __init__(self, logger: logging.Logger, lost_text: str, back_text: str) -> None:
        """Log `lost_text` and the error when the server becomes unavailable, and `back_text` when it is back."""
        self._logger = logger
        self._lost_text = lost_text
        self._back_text = back_text
        self._active = False

    def begin(self, error: Exception) -> None:
        """Log that the server is unavailable, unless this was already logged."""
        if not self._active:
            self._active = True
            self._logger.warning("%s: %s", self._lost_text, error)

    def end(self) -> None:
        """Log that the server is back, if it was unavailable."""
        if self._active:
            self._active = False
            self._logger.warning("%s", self._back_text)
