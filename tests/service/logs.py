"""Reads the service's log lines as they are in a process's log."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from service import logs


@contextmanager
def logged(form: str, name: str = "service") -> Iterator[io.StringIO]:
    """Yield the lines that the loggers below `name` log in the block, in a format, as the process `web`."""
    output, logger = io.StringIO(), logging.getLogger(name)
    handler = logging.StreamHandler(output)
    handler.addFilter(logs._Subject("web"))
    handler.setFormatter(logs.formatter(form))
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield output
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates
