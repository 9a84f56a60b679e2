"""A process that is killed while the service starts is started again, and the service comes up."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from service.processes.serve import PROCESSES

from ..servers import free_port
from .product import SERVE, Service

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["log", "queue", *PROCESSES])
def test_a_part_that_is_killed_while_it_starts_is_started_again(folder: Path, name: str) -> None:
    """The process is killed as soon as it is visible."""
    service = Service(folder, SERVE, {"PORT": str(free_port())})
    try:
        os.kill(service.pid_of(name), signal.SIGKILL)
        service.wait_until_up()
        assert f"{name} was killed by SIGKILL; restarting in 0.2 s" in service.said()
        assert service.stop() == 0
        assert "Traceback" not in service.said()
    finally:
        service.clean_up()
