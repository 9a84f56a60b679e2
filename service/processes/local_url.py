"""Local URLs: the service's address on its own machine, and the command that plays the demo at this address."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from ..config import Config

SCRIPT = "condottiere"
"""The installed command."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""For each host that means all of a machine's addresses, the loopback address to use instead."""


def local_url(host: str, port: int) -> str:
    """Return the address of a service that listens on a host and a port.

    >>> local_url("0.0.0.0", 8000), local_url("::", 80)
    ('http://127.0.0.1:8000', 'http://[::1]:80')
    """
    near = EVERYWHERE.get(host, host)
    return f"http://[{near}]:{port}" if ":" in near else f"http://{near}:{port}"


def demo_command(url: str) -> str:
    """Return the shell command that plays the demo against a service.

    The command is for another terminal in the same folder.
    """
    usual = url == local_url(Config.host, Config.port)
    return f"{_program()} demo" if usual else f"{_program()} demo --url {url}"


def _program() -> str:
    """Return the shell command for this program: its name if every terminal finds it, or else its path or
    `python -m`.
    """
    command = Path(sys.argv[0])
    script = command if command.name == SCRIPT else Path(sys.executable).with_name(SCRIPT)
    if not script.exists():
        return shlex.join([sys.executable, "-m", "service"])
    found = shutil.which(SCRIPT)
    # A virtual environment that is active here is not active in another terminal.
    if found and script.samefile(found) and not os.environ.get("VIRTUAL_ENV"):
        return SCRIPT
    path, folder = script.absolute(), Path.cwd()
    return shlex.quote(str(path.relative_to(folder) if path.is_relative_to(folder) else path))
