"""Outages: logs one line when a server is lost, and one line when it is back, however many attempts fail in between."""

from __future__ import annotations

import logging


class Outage:
    """An outage of a server. `begin` and `end` may be called repeatedly, but only changes are logged."""

    def __init__(self, logger: logging.Logger, lost_text: str, back_text: str) -> None:
        """Log to `logger`: `lost_text` and the error when the server is lost, and `back_text` when it is back."""
        self._logger = logger
        self._lost_text = lost_text
        self._back_text = back_text
        self._active = False

    def begin(self, error: Exception) -> None:
        """Log that the server is lost, unless this was already logged."""
        if not self._active:
            self._active = True
            self._logger.warning("%s: %s", self._lost_text, error)

    def end(self) -> None:
        """Log that the server is back, if it was lost."""
        if self._active:
            self._active = False
            self._logger.warning("%s", self._back_text)
