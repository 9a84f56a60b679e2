"""One line in the log when a server is lost, and one when it is back, however often it was tried in between."""

from __future__ import annotations

import logging


class Outage:
    """What the log has been told of a server: begin and end it as often as you like, only changes are logged."""

    def __init__(self, logger: logging.Logger, lost: str, back: str) -> None:
        """Take the logger, and the sentences to log: `lost` is followed by the error that was met."""
        self._logger = logger
        self._lost = lost
        self._back = back
        self._going_on = False

    def begin(self, error: Exception) -> None:
        """Log a warning, unless the last one is still true."""
        if not self._going_on:
            self._going_on = True
            self._logger.warning("%s: %s", self._lost, error)

    def end(self) -> None:
        """Log that the server is back, if it was lost."""
        if self._going_on:
            self._going_on = False
            self._logger.warning("%s", self._back)
