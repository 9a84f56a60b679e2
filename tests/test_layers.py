"""`make lint` holds the service to its packages: what nobody has placed, and a library in the wrong place, fails it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")


def broken_contracts(tree: Path) -> str:
    """Return what the import contracts complain of in a tree, "" where they are all kept."""
    run = subprocess.run([LINT_IMPORTS, "--no-cache"], cwd=tree, capture_output=True, text=True, check=False)
    assert (run.returncode == 0) == ("0 broken" in run.stdout), run.stdout + run.stderr
    return "" if run.returncode == 0 else " ".join(run.stdout.split())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of what the contracts are about."""
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


def test_a_library_where_it_is_not_for_fails(tree: Path) -> None:
    for module, library in LIBRARIES.items():
        add_import(tree, module, library)
    complaints = broken_contracts(tree)
    assert [pair for pair in LIBRARIES.items() if f"{' -> '.join(pair)} " not in complaints] == []


IMPORTS = {
    "service.api.moves": "service.store",
    "service.games.game": "service.play.moves",
    "service.clocks.hours": "service.store",
    "service.views.game": "service.orders.values",
}


def test_an_import_that_points_up_or_aside_fails(tree: Path) -> None:
    """Nor may `service.api` know the store, though it lies above it: it asks the use cases."""
    for module, imported in IMPORTS.items():
        add_import(tree, module, imported)
    complaints = broken_contracts(tree)
    assert [pair for pair in IMPORTS.items() if " -> ".join(pair) not in complaints] == []


def add_import(tree: Path, module: str, imported: str) -> None:
    """Have a module of a tree import one more."""
    file = tree / f"{module.replace('.', '/')}.py"
    file.write_text(file.read_text() + f"\nimport {imported}\n")
