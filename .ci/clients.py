"""`make clients`: generate clients from the API description, compile them, and play a whole game with each.

`clients/generated/generators.toml` lists the tools and their commands; each tool has its settings in a folder next to
it. The script starts a service for the clients to play against. Then it checks this project's own client libraries, by
running `check` in each library's folder. It prints a command's output only if the command fails.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

from service.processes.leash import with_leash

ROOT = Path(__file__).resolve().parents[1]
GENERATED = ROOT / "clients" / "generated"
STEPS = ("generate", "compile", "play", "lint")
WRITTEN = ("generated", "condottiere_api", ".openapi-generator")
"""The names of the files and folders that generators write."""
LONGEST = 600
"""The number of seconds after which a running command is killed."""
SETTINGS = {
    "CONDOTTIERE_LIMITS": "off",
    "LOG_LEVEL": "warning",
    "WEBHOOK_NETWORKS": "127.0.0.0/8,::1/128",
    "WEB_WORKERS": "1",
}
UNSET = ("CONDOTTIERE_DURABILITY", "CONDOTTIERE_SECRET_KEYS", "QUEUE_URL", "REDIS_CLUSTER", "REDIS_URL")
"""Settings that are removed, so that the service uses its embedded servers."""
NODE = "Node.js 20 or later, with npm (https://nodejs.org; on Debian or Ubuntu: `nodejs` and `npm`)"
JAVA = "Java 11 or later (on Debian or Ubuntu: `default-jre-headless`)"
INSTALL = {"node": NODE, "npm": NODE, "java": JAVA}


class Tool(NamedTuple):
    """A generator, a linter or a client library."""

    name: str
    folder: Path
    version: str
    always: bool
    """Whether `make clients` uses the tool even without `ALL=1`."""
    steps: Mapping[str, str]
    """The command of each step."""


class Result(NamedTuple):
    """The result of using a tool. `steps` says for each step that ran whether it succeeded."""

    tool: Tool
    steps: Mapping[str, bool]
    seconds: float
    moves: str = "-"

    @property
    def ok(self) -> bool:
        """Whether all the tool's steps ran and succeeded."""
        return all(self.steps.get(step) for step in self.tool.steps)


# The tools


def read_tools() -> list[Tool]:
    """Return the tools in `generators.toml`, then the client libraries, whose only step is their `check` program."""
    entries = tomllib.loads((GENERATED / "generators.toml").read_text())
    tools = []
    for name, entry in entries.items():
        folder = GENERATED / entry.get("folder", name)
        steps = {step: entry[step] for step in STEPS if step in entry}
        version = pinned(folder)[entry.get("package", name)]
        tools.append(Tool(name, folder, version, entry.get("always", False), steps))
    release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    for check in sorted(ROOT.glob("clients/*/check")):
        name = check.parent.relative_to(ROOT).as_posix()
        tools.append(Tool(name, check.parent, release, True, {"play": "./check {url}"}))
    return tools


def pinned(folder: Path) -> dict[str, str]:
    """Return the pinned version of each package that a tool's folder requires, by name."""
    versions: dict[str, str] = {}
    if (requirements := folder / "requirements.txt").exists():
        versions |= dict(re.findall(r"^([\w.-]+)==([^\s;]+)", requirements.read_text(), re.MULTILINE))
    if (package := folder / "package.json").exists():
        content = json.loads(package.read_text())
        versions |= content.get("dependencies", {}) | content.get("devDependencies", {})
    return versions


def missing(tool: Tool) -> list[str]:
    """Return what must be installed on this machine before the tool can run."""
    programs: list[str] = []
    if (tool.folder / "package.json").exists():
        programs += ["node", "npm"]
    if "openapi-generator-cli" in pinned(tool.folder):
        programs.append("java")
    return sorted({INSTALL[program] for program in programs if shutil.which(program) is None})


# Commands


def run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> tuple[bool, str]:
    """Run a command, then kill any process that it left running.

    Return whether the command succeeded, and its output.
    """
    print("$", shlex.join(map(str, command)), end=" ", flush=True)
    begun = time.monotonic()
    with TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status: int | str = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            status = f"stopped after {LONGEST} seconds"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    print(f"# {time.monotonic() - begun:.1f} s", flush=True)
    if status != 0:
        print(text.rstrip(), f"exit status: {status}", sep="\n", flush=True)
    return status == 0, text


def environment_of(folder: Path) -> dict[str, str]:
    """Return the environment variables, with the programs installed in a folder first on PATH."""
    path = [str(folder / ".venv" / "bin"), str(folder / "node_modules" / ".bin"), os.environ.get("PATH", os.defpath)]
    plain = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "PYTHONPATH")}
    return {**plain, "PATH": os.pathsep.join(path), "PYTHON": sys.executable, "NO_COLOR": "1"}


def install(folder: Path) -> bool:
    """Install the packages that a folder requires, unless they are installed already. Return whether this succeeded."""
    environment = environment_of(folder)
    if (folder / "requirements.txt").exists():
        place = folder / ".venv"
        make = (sys.executable, "-m", "venv", "--clear", "--without-pip", place)
        pip = (
            sys.executable,
            "-m",
            "pip",
            "--python",
            place / "bin" / "python",
            "--disable-pip-version-check",
            "--quiet",
        )
        commands = [make, (*pip, "install", "--no-compile", "--requirement", "requirements.txt")]
        if not prepare(place, folder / "requirements.txt", commands, environment):
            return False
    if (folder / "package-lock.json").exists():
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
        return prepare(folder / "node_modules", folder / "package-lock.json", [("npm", "ci", *options)], environment)
    return True


def prepare(
    place: Path, list_of_packages: Path, commands: Iterable[Sequence[str | Path]], environment: Mapping[str, str]
) -> bool:
    """Run commands that install a list of packages in `place`, unless the same list was installed there before.

    Return whether the packages are installed.
    """
    stamp, digest = place / ".installed", hashlib.sha256(list_of_packages.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return True
    if not all(run(command, list_of_packages.parent, environment)[0] for command in commands):
        return False
    stamp.write_text(digest)
    return True


def use(tool: Tool, url: str) -> Result:
    """Install a tool and run its steps until one fails."""
    begun, steps, moves = time.monotonic(), dict[str, bool](), "-"
    generates = "generate" in tool.steps
    if tool.folder.parent == GENERATED and not install(tool.folder):
        return Result(tool, steps, time.monotonic() - begun)
    for name in WRITTEN if generates else ():
        shutil.rmtree(tool.folder / name, ignore_errors=True)
    for step, command in tool.steps.items():
        words = shlex.split(command.format(url=url))
        steps[step], output = run(words, tool.folder, environment_of(tool.folder))
        if not steps[step]:
            break
        if counted := re.findall(r"(\d+) moves", output):
            moves = str(sum(map(int, counted)))
    return Result(tool, steps, time.monotonic() - begun, moves)


# The service


@contextmanager
def service() -> Iterator[str]:
    """Run a service on loopback for the duration of a `with` block, and yield its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    with TemporaryDirectory() as folder, TemporaryFile() as output:
        process = subprocess.Popen(
            with_leash([sys.executable, "-m", "service", "serve"]),
            cwd=ROOT,
            env={**inherited, **SETTINGS, "CONDOTTIERE_DATA": folder, "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            until_up(url, process)
            yield url
        except BaseException:
            output.seek(0)
            print(output.read().decode(errors="replace"))
            raise
        finally:
            process.terminate()
            process.wait()


def until_up(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until every part of the service is up. Raises: RuntimeError if the service exits."""
    while True:
        # `urlopen` does not wrap errors that occur while it reads a response, but each of them is an OSError.
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{url}/v1/health", timeout=10).close()
            return
        if process.poll() is not None:
            raise RuntimeError("the service has exited")
        time.sleep(0.1)


# The table


def table(results: Sequence[Result]) -> str:
    """Return a table of the results, with a line for each tool and a column for each step."""
    steps = [step for step in STEPS if any(step in result.tool.steps for result in results)]
    rows = [("tool", "version", "seconds", *steps, "moves")]
    for tool, done, seconds, moves in results:
        words = [{True: "ok", False: "FAILED", None: "-"}[done.get(step)] for step in steps]
        rows.append((tool.name, tool.version, f"{seconds:.1f}", *words, moves))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = {2, len(widths) - 1}
    return "\n".join(
        "  ".join(
            colour(cell.rjust(width) if number in right else cell.ljust(width))
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def colour(cell: str) -> str:
    """Colour a cell, if standard output is a terminal and NO_COLOR is not set (https://no-color.org)."""
    code = {"ok": 32, "FAILED": 31}.get(cell.strip())
    return f"\033[{code}m{cell}\033[0m" if code and sys.stdout.isatty() and not os.environ.get("NO_COLOR") else cell


def main() -> int:
    """Run the chosen tools, and return the exit code."""
    tools = read_tools()
    parser = ArgumentParser("make clients", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="run all generators and the linters")
    names = [tool.name for tool in tools]
    parser.add_argument("--tool", action="append", choices=names, help="run only this tool; may be repeated")
    options = parser.parse_args()
    chosen = [tool for tool in tools if (tool.name in options.tool if options.tool else tool.always or options.all)]
    results = []
    with service() as url:
        for number, tool in enumerate(chosen, 1):
            print(f"\n== {number} of {len(chosen)}: {tool.name} {tool.version}", flush=True)
            if needed := missing(tool):
                print("This tool was skipped. Install", " and ".join(needed))
            results.append(Result(tool, {}, 0) if needed else use(tool, url))
    print("", table(results), sep="\n")
    if left_out := [result.tool.name for result in results if not result.ok]:
        print(f"\nFailed or skipped: {', '.join(left_out)}.")
    return int(bool(left_out))


if __name__ == "__main__":
    sys.exit(main())
