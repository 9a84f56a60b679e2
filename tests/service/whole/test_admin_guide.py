"""The guide to the host's commands works as shown, with the store of a running service."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from service.admin import acts
from service.tools.admin.commands import admin

from ...guides import ADDRESS, ROOT, follow
from ..admin.test_commands import subcommands
from .product import UNSET, running

GUIDE = ROOT / "docs" / "admin.md"


@pytest.mark.slow
def test_the_session(folder: Path, tmp_path: Path) -> None:
    with running(folder) as service:
        follow(GUIDE, tmp_path, {ADDRESS: service.url}, **UNSET, CONDOTTIERE_DATA=str(service.folder))


def test_every_command_is_in_the_guide() -> None:
    text = GUIDE.read_text()
    assert isinstance(admin, click.Group)
    missing = [path for path in subcommands(admin) if not re.search(rf"\b{' '.join(path)}\b", text)]
    assert missing == []


def test_every_act_is_in_the_guide() -> None:
    """The guide uses the names in the audit log."""
    sources = "".join(file.read_text() for file in (ROOT / "service" / "admin").glob("*.py"))
    named = {*re.findall(r'\bact\(\s*"([\w-]+)"', sources), acts.NOT_CARRIED_OUT}
    rows = re.findall(r"^\| (`[^|]+) \|", GUIDE.read_text().split("## The audit log")[1].split("## ")[0], re.MULTILINE)
    assert named == {name for row in rows for name in re.findall(r"`([\w-]+)`", row)}
