"""Condottiere over HTTP: a thin, honest shell round the engine.

Folders hold what one library is for; beside them lie the use cases, which know none of them, and one file for each
process that can be started. What may import what is in `pyproject.toml`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from .config import Config


def create_app(config: Config | None = None) -> Flask:
    """Return the WSGI app; without a config the environment is read.

    Raises: ConfigError when a setting is missing or cannot be read.
    """
    # Imported here, so that the worker and the clock start without the web's libraries.
    from .app import make_app
    from .config import Config

    return make_app(config or Config.from_env())
