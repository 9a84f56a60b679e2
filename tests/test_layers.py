"""`make lint` enforces the service's packages: an unassigned module, or a library in the wrong place, fails it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def broken_contracts(tree: Path) -> str:
    """Return the complaints of the import contracts about a tree, or "" if there are none."""
    run = subprocess.run([LINT_IMPORTS, "--no-cache"], cwd=tree, capture_output=True, text=True, check=False)
    assert (run.returncode == 0) == ("0 broken" in run.stdout), run.stdout + run.stderr
    return "" if run.returncode == 0 else " ".join(run.stdout.split())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the files that the contracts check."""
    for name in ("engine", "service"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_tree_keeps_every_contract(tree: Path) -> None:
    assert broken_contracts(tree) == ""


@pytest.mark.parametrize("name", ["service/lobby.py", "service/lobby/__init__.py"])
def test_a_module_that_nobody_has_placed_fails(tree: Path, name: str) -> None:
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).write_text('"""A new capability."""\n')
    assert "service.lobby" in broken_contracts(tree)


LIBRARIES = {
    "service.play.moves": "redis",
    "service.games.game": "hiredis",
    "service.views.inbox": "flask",
    "service.orders.values": "marshmallow",
    "service.webhooks.planning": "rq",
    "service.clocks.hours": "werkzeug",
}
"""For some modules, a library that their package may not use."""

IMPORTS = {
    "service.api.moves": "service.store",
    "service.games.game": "service.play.moves",
    "service.clocks.hours": "service.store",
    "service.views.game": "service.orders.values",
}
"""For some modules, a module that they may not import: one in a higher or the same layer, or the store for the API."""


@pytest.mark.parametrize("imports", [LIBRARIES, IMPORTS], ids=["libraries", "modules"])
def test_an_import_out_of_place_fails(tree: Path, imports: dict[str, str]) -> None:
    for module, imported in imports.items():
        add_import(tree, module, imported)
    complaints = broken_contracts(tree)
    assert [pair for pair in imports.items() if f"{' -> '.join(pair)} " not in complaints] == []


def add_import(tree: Path, module: str, imported: str) -> None:
    """Add an import to a module of a tree."""
    file = tree / f"{module.replace('.', '/')}.py"
    file.write_text(file.read_text() + f"\nimport {imported}\n")
