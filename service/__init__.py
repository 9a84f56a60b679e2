"""Condottiere over HTTP: a thin layer around the engine.

Each package provides one capability. `docs/architecture.md` lists the packages from top to bottom. The contracts in
`pyproject.toml` restrict which modules each module may import. Some modules do not belong to any package: the command
(`cli`), the WSGI app (`app`), and modules that any package may import, such as `config`, `problems` and `idempotency`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from .config import Config


def create_app(config: Config | None = None) -> Flask:
    """Return the WSGI app, configured by `config`, or by the environment if `config` is None.

    Raises: ConfigError if a setting is missing or cannot be read.
    """
    # Import the app only here, so that the worker and clock processes start without loading the web libraries.
    from .app import make_app
    from .config import Config

    return make_app(config or Config.from_env())
