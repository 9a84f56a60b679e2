"""A git repository for a test of the scripts in `.ci`, and a function that loads these scripts."""

from __future__ import annotations

import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

CI = Path(__file__).parents[1] / ".ci"


def load(name: str) -> ModuleType:
    """Return a script as a separate module object, which a test may change."""
    spec = spec_from_file_location(name, CI / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Repository:
    """A git repository in a folder."""

    def __init__(self, root: Path) -> None:
        """Create the repository with the branch `main`."""
        self.root = root
        root.mkdir(exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        """Run git, and return what it prints."""
        command = ["git", "-c", "user.name=Caterina", "-c", "user.email=caterina@example.org", *arguments]
        return subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, message: str) -> str:
        """Commit everything, even without changes; return the hash."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")
