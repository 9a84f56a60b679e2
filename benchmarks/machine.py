"""The machine on which the figures were measured."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from service.processes.binary import find_binary

LIBRARIES = ("flask", "gunicorn", "aiohttp", "redis", "hiredis", "orjson")


def machine() -> dict[str, str]:
    """Return the properties of the machine on which the figures depend, by name."""
    return {
        "Date": f"{datetime.now(UTC):%Y-%m-%d}",
        "CPU": f"{_cpu()}, {os.cpu_count()} cores",
        "Load": f"{os.getloadavg()[0]:.1f} at the start (1 minute)",
        "System": platform.platform(terse=True),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "Libraries": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        "Server": subprocess.run(
            [find_binary(), "--version"], capture_output=True, text=True, check=True
        ).stdout.strip(),
    }


def _cpu() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or platform.machine())
