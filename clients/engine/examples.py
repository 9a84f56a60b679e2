"""Run every example of the installed library condottiere_engine: `python -I examples.py SOURCE GUIDE`.

SOURCE is the folder that the library was made from, and GUIDE is docs/engine.md. The examples of the modules and of the
guide import `engine`, the package's name in the service; this program runs them with `condottiere_engine` in its place.
The program fails if an example fails, or if a file of SOURCE was not installed.
"""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import condottiere_engine

NAME = condottiere_engine.__name__
UNINSTALLED = {"LICENSE", "README.md", "pyproject.toml", "setup.cfg", "PKG-INFO"}
"""Files of the source that are not part of the package."""


def renamed(test: doctest.DocTest) -> doctest.DocTest:
    """Return a test whose examples import the library under its own name."""
    for example in test.examples:
        example.source = re.sub(r"\b(from|import) engine\b", rf"\1 {NAME}", example.source)
        example.want = re.sub(r"^engine\.", f"{NAME}.", example.want)
        if example.exc_msg is not None:
            example.exc_msg = re.sub(r"^engine\.", f"{NAME}.", example.exc_msg)
    return test


def modules() -> Iterator[ModuleType]:
    """Yield the package and each of its modules."""
    yield condottiere_engine
    for found in walk_packages(condottiere_engine.__path__, f"{NAME}."):
        yield import_module(found.name)


def files(folder: Path) -> set[Path]:
    """Return the paths of a folder's files, relative to the folder. Compiled files are left out."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path for path in paths if not {"__pycache__", "build"} & set(path.parts) and ".egg-info" not in str(path)}


def main(source: Path, guide: Path) -> None:
    """Compare the files, and run the examples of the modules, the README and the guide."""
    installed = Path(condottiere_engine.__file__).parent
    assert installed.is_relative_to(sys.prefix), installed
    missing = {path for path in files(source) if str(path) not in UNINSTALLED} - files(installed)
    assert not missing, f"not installed: {sorted(map(str, missing))}"
    finder = doctest.DocTestFinder()
    tests = [test for module in modules() for test in finder.find(module) if test.examples]
    tests.append(doctest.DocTestParser().get_doctest(guide.read_text("utf-8"), {}, guide.name, str(guide), 0))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in tests:
        runner.run(renamed(test))
    failed, tried = runner.summarize()
    (program,) = re.findall(
        r"^```python\n(.*?)^```$", (source / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    exec(program, {})
    print(f"{NAME} {installed}: {tried} examples in {len(tests)} documents, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
