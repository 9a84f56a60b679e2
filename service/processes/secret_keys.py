"""The secret key of a service whose log server is embedded. The key is created once, in the data folder."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from pathlib import Path

from ..config import MIN_KEY_BYTES, Config

FILE = "secret-key"

_logger = logging.getLogger(__name__)


def key_in(folder: Path) -> str:
    """Return a data folder's key in hex. If there is no key, create a key file that only this user can read.

    Even if the process dies while creating the file, the file is either complete or missing. Raises: OSError.
    """
    path = folder / FILE
    with contextlib.suppress(FileNotFoundError):
        return path.read_text().strip()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = folder / f"{FILE}.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(MIN_KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()
    return path.read_text().strip()


def warn_without_keys(config: Config) -> None:
    """Log a warning if the server has no secret key."""
    if not config.secret_keys:
        _logger.warning(
            "CONDOTTIERE_SECRET_KEYS is not set: token hashes are not keyed, and webhook secrets are not encrypted"
        )
