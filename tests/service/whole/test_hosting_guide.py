"""The hosting guide works as shown, as far as one machine allows, and states the actual limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.gateway.connection import BODY_SECONDS, HEAD_SECONDS, KEEP_ALIVE, PIECE, SEND_SECONDS
from service.gateway.refusals import LONGEST_ADDRESS
from service.gateway.server import STOP_SECONDS
from service.processes.duties import STUCK_CODE
from service.processes.interrupts import OTHER_LAYOUT_CODE
from service.processes.serve import PROCESSES
from service.processes.web import OTHER_CONNECTIONS

from ...guides import ADDRESS, ROOT, follow
from ..servers import free_port
from .product import UNSET

GUIDE = ROOT / "docs" / "hosting.md"


@pytest.mark.slow
def test_the_session(folder: Path) -> None:
    port = str(free_port())
    follow(GUIDE, folder, {ADDRESS: f"http://127.0.0.1:{port}"}, **UNSET, PORT=port, WEB_WORKERS="1")


def test_the_processes() -> None:
    assert tuple(re.findall(r"^\| `condottiere (\w+)` \|", GUIDE.read_text(), re.MULTILINE)) == PROCESSES


@pytest.mark.parametrize(
    "limit",
    [
        f"| request line and headers | {HEAD_SECONDS:.0f} seconds to arrive; {LONGEST_ADDRESS:,} bytes for the URL",
        f"| body | {BODY_SECONDS:.0f} seconds to arrive",
        f"| response | {SEND_SECONDS:.0f} seconds for the client to read each {PIECE // 1024} KB",
        f"| idle connection between two requests | {KEEP_ALIVE:.0f} seconds |",
        f"| shutdown | {STOP_SECONDS:.0f} seconds",
        f"`MAX_WAITS` + {OTHER_CONNECTIONS:,}",
        f"its process exits with code {STUCK_CODE}.",
        f"| a process exits with code {OTHER_LAYOUT_CODE}: ",
    ],
)
def test_the_limits(limit: str) -> None:
    assert limit in " ".join(GUIDE.read_text().split())
