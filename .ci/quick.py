"""`make quick`: check a change in about a minute.

The change consists of all differences, committed or not, from the point where this branch left `main` or the given
revision. The script checks style and spelling in the changed files, and types and imports in the whole project. Then it
runs the tests near the change, nearest first, until the time limit is reached. At the end, it prints how many test
files were not run.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath

import grimp

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("benchmarks", "engine", "service", "tests")
WITH_DOCTESTS = ("engine/", "service/")
ALWAYS = ["tests/test_architecture.py", "tests/test_docs.py"]
SLOW = "tests/service/whole/"
"""The folder of tests that start the whole service. They are slow, so they run only if they were changed themselves."""
NEAR = 2
"""The maximum number of imports that link a changed module to a test that runs."""
FILES = 60
"""The maximum number of test files that run."""
SECONDS = 40
"""The number of seconds, from the start of the first test, after which no other test starts."""

Importers = Mapping[str, set[str]]
"""For each module, the modules that import it directly."""


# The change


def git(*arguments: str) -> list[str]:
    """Return the paths that a git command prints."""
    run = subprocess.run(["git", *arguments, "-z"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [path for path in run.stdout.split("\0") if path]


def base(revisions: Sequence[str]) -> str:
    """Return the commit at which this branch left the first of these revisions that exists."""
    for revision in revisions:
        command = ["git", "merge-base", "HEAD", revision]
        result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return result.stdout.strip()
    sys.exit(f"git has no revision {' or '.join(revisions)} to compare with. Choose one: make quick SINCE=HEAD~3")


def changed_since(commit: str) -> list[str]:
    """Return the paths of all files that differ from a commit, including new files."""
    return sorted({*git("diff", "--name-only", commit), *git("ls-files", "--others", "--exclude-standard")})


# The tests near the change


def module_of(path: str) -> str:
    """Return the module name for the path of a Python file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def file_of(test: str) -> str:
    """Return the path of a test module's file."""
    return test.replace(".", "/") + ".py"


def is_test(module: str) -> bool:
    """Return whether a module contains tests."""
    return module.rpartition(".")[2].startswith("test_")


def read_importers() -> Importers:
    """Return which modules import each module. Every module in the folder of a `conftest.py` counts as importing it."""
    sys.path.insert(0, str(ROOT))
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    importers = {module: graph.find_modules_that_directly_import(module) for module in graph.modules}
    for conftest in [module for module in importers if module.endswith(".conftest")]:
        importers[conftest] |= {module for module in importers if module.startswith(conftest.removesuffix("conftest"))}
    return importers


def changed_modules(path: str, modules: Iterable[str]) -> set[str]:
    """Return the modules that a changed file affects: its own module or, for a data file, the modules of its package.

    The libraries in `clients` are not in the import graph, so for their files, the function returns the libraries'
    tests.
    """
    if path.startswith("clients/"):
        return {module for module in modules if module.startswith("tests.clients.")}
    if path.endswith(".py"):
        return {module_of(path)} & set(modules)
    package = str(PurePath(path).parent).replace("/", ".")
    return {module for module in modules if package in (module, module.rpartition(".")[0])}


def tests_named_for(module: str, tests: Iterable[str]) -> set[str]:
    """Return the tests whose name contains a module's name.

    A test of a process often starts it without importing it.
    """
    name = module.rpartition(".")[2]
    return {test for test in tests if f"_{name}_" in f"{test.rpartition('.')[2]}_"}


def tests_beside(module: str, tests: Iterable[str]) -> set[str]:
    """Return the tests in the test folder that mirrors a module's package, or in its nearest parent with tests."""
    package = f"tests.{module}"
    while (package := package.rpartition(".")[0]) != "tests":
        if result := {test for test in tests if test.rpartition(".")[0] == package}:
            return result
    return set()


def distances(changed: set[str], importers: Importers) -> dict[str, int]:
    """Return the distance, in imports, from the changed modules to each nearby test."""
    tests = [module for module in importers if is_test(module)]
    result = dict.fromkeys(changed, 0)
    edge = changed
    for distance in range(1, NEAR + 1):
        edge = set().union(*(importers[module] for module in edge)) - result.keys()
        result |= dict.fromkeys(edge, distance)
    near = {test: NEAR for module in changed for test in tests_beside(module, tests)}
    near |= {test: distance for test, distance in result.items() if test in tests}
    return near | {test: min(1, near.get(test, 1)) for module in changed for test in tests_named_for(module, tests)}


def nearest_first(paths: Iterable[str], importers: Importers) -> list[str]:
    """Return the test files near these paths, nearest first."""
    near = distances(set().union(*(changed_modules(path, importers) for path in paths)), importers)
    files = [file_of(test) for test in sorted(near, key=lambda test: (near[test], test))]
    return [file for file in files if file in paths or not file.startswith(SLOW)][:FILES]


# The checks


def run(*command: str) -> bool:
    """Run a command from the virtual environment, show its output, and return whether it succeeded."""
    print("$", *command, flush=True)
    program = Path(sys.executable).parent / command[0]
    return subprocess.run([program, *command[1:]], cwd=ROOT, check=False).returncode == 0


def lint(files: Sequence[str]) -> bool:
    """Check the style of the files, and the types and imports of the whole project."""
    style = [run("ruff", "check", *files), run("ruff", "format", "--check", *files)] if files else []
    return all([*style, run("mypy"), run("lint-imports")])


def test(paths: Sequence[str], importers: Importers) -> bool:
    """Run the changed packages' doctests and the tests near the change, and print how many test files were not run."""
    folders = {str(PurePath(path).parent) for path in paths if path.startswith(WITH_DOCTESTS)}
    doctests = sorted(folder for folder in folders if (ROOT / folder).is_dir())
    near = nearest_first(paths, importers)
    files = [*near, *(file for file in ALWAYS if file not in near)]
    ok = run("pytest", "-n", "auto", "--maxschedchunk=4", "-q", f"--seconds={SECONDS}", *doctests, *files)
    left = [file_of(module) for module in importers if is_test(module) and file_of(module) not in files]
    slow = sum(file.startswith(SLOW) for file in left)
    print(
        f"\nRan the tests near the change, in {len(near)} files; skipped tests had not started after {SECONDS} seconds."
    )
    print(f"Not run, see `make test`: {len(left) - slow} files of tests further away.")
    print(f"Not run, see `make slow`: {slow} files in {SLOW}.")
    return ok


def main(arguments: Sequence[str]) -> int:
    """Check the change, and return the exit code."""
    commit = base(arguments or ("main", "origin/main"))
    paths = changed_since(commit)
    if not paths:
        print(f"Nothing has changed since {commit[:7]}: there is nothing to check.")
        return 0
    print(f"Files that differ from {commit[:7]}: {len(paths)}.")
    there = [path for path in paths if (ROOT / path).exists()]
    well = [run("python", ".ci/spelling.py", *there)]
    if any(path.endswith(".py") for path in paths):
        well.append(lint([path for path in there if path.endswith(".py")]))
    return int(not all([*well, test(paths, read_importers())]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
