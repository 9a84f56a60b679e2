"""The wheel of this version, unpacked elsewhere: all modules, guides and files of the board are in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from service import board
from service.guides.documents import documents

from .product import UNSET
from .versions import ROOT, build

pytestmark = pytest.mark.slow

PROGRAM = """
import json, pkgutil
from importlib import import_module
import engine, service
from service import board
from service.tools.openapi import PLACEHOLDER

for package in (engine, service):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
client = service.create_app(PLACEHOLDER).test_client()
found = json.loads(client.get("/guide/index.json").data)
files = {f"/guide/{name}" for name in ("style.css", "search.js", "session.js")}
paths = {"/", *files, *(address.partition("#")[0] for address, *_ in found)}
statuses = {path: client.get(path).status_code for path in paths}
print(json.dumps([service.__file__, statuses, sorted(board.assets())]))
"""


def test_the_wheel_serves_every_guide_and_has_every_file_of_the_board(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("docs", "engine", "service"):
        shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (*ROOT.glob("*.md"), ROOT / "LICENSE", ROOT / "pyproject.toml"):
        shutil.copy(file, source)
    installed = build(source, tmp_path, version("condottiere-api"))
    shutil.rmtree(source)
    run = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM],
        cwd=tmp_path,
        env={**os.environ, **UNSET, "PYTHONPATH": installed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    place, statuses, files = json.loads(run.stdout)
    assert Path(place).is_relative_to(installed)
    assert {document.address for document in documents().values()} < statuses.keys()
    assert set(statuses.values()) == {200}
    assert files == sorted(board.assets())
