"""Condottiere over HTTP: a thin, honest shell round the engine.

One capability a package. `docs/architecture.md` lists them from the top down, and contracts in `pyproject.toml` hold
every module to its place. Beside the packages lie the command (`cli`), the WSGI app (`app`), and what any package may
need: `config`, `problems` and `idempotency`.
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
