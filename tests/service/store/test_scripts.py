"""Lua scripts: each file is run by one constant, lists its arguments at its top, and is in the wheel."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

from service.store.due import OVERDUE
from service.store.lua import script

from ..servers import Valkey

ROOT = Path(__file__).parents[3]
SERVICE = ROOT / "service"
FILES = {str(file.relative_to(ROOT)): file.read_text() for file in sorted(SERVICE.rglob("*.lua"))}
SHARED = {name: text for name, text in FILES.items() if text.startswith("-- Shared: ")}
FENCE = "service/store/scripts/fence.lua"
GATE = "service/store/scripts/gate.lua"
SCRIPTS = {name: text for name, text in FILES.items() if name not in SHARED}

NEEDS = re.compile(r"-- needs (.+)\n")
RUN_BY = re.compile(r"^-- Run by (?:(\w+)\.)?(\w+) in (service/\S+\.py)\.$", re.MULTILINE)
ENTRY = re.compile(r"-- {3}(\w+(?:, \w+)*)(\.\.\.)?(?: .*)?$")
CONTINUED = re.compile(r"-- {4,}\S")
ASSIGNED = re.compile(r"local ([\w, ]+) = (.+)")
FUNCTION = re.compile(r"^local function (\w+)\(", re.MULTILINE)


class Constant(NamedTuple):
    """A Python constant: its name, and the file name of its script."""

    name: str
    file: str


class Parts(NamedTuple):
    """The lines of a script: its comment, the head directly after it, and the body after an empty line."""

    comment: Sequence[str]
    head: Sequence[str]
    body: Sequence[str]


def constants() -> Iterator[Constant]:
    """Yield every constant of the service that holds a script."""
    for file in sorted(SERVICE.rglob("*.py")):
        for node in ast.parse(file.read_text()).body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(name)],
                    value=ast.Call(func=ast.Name("script"), args=[ast.Constant(str(named)), *package]),
                ):
                    folder = file.parent if package else SERVICE / "store"
                    yield Constant(name, str((folder / "scripts" / f"{named}.lua").relative_to(ROOT)))


CONSTANTS = sorted(constants(), key=lambda constant: constant.file)


def parts(text: str) -> Parts:
    lines = text.splitlines()
    comment = list(takewhile(lambda line: line.startswith("--"), lines))
    head = list(takewhile(bool, lines[len(comment) :]))
    return Parts(comment, head, lines[len(comment) + len(head) :])


def documented(comment: Sequence[str], group: str) -> list[str]:
    """Return the names that a comment gives to KEYS or ARGV, in order; dots follow a name that stands for several."""
    if f"-- {group}" not in comment:
        return []
    names: list[str] = []
    for line in comment[comment.index(f"-- {group}") + 1 :]:
        if entry := ENTRY.fullmatch(line):
            names += entry[1].split(", ")
            names[-1] += entry[2] or ""
        elif not CONTINUED.match(line):
            break
    return names


def named(head: Sequence[str]) -> dict[str, str]:
    """Return the names that a head assigns, with their values: `KEYS[1]` for the first value of `unpack(KEYS)`."""
    found: dict[str, str] = {}
    for line in head:
        assigned = ASSIGNED.fullmatch(line)
        assert assigned, f"a head may only assign names: {line}"
        names, values = assigned[1].split(", "), re.split(r", (?![^{(]*[})])", assigned[2])
        if unpacked := re.fullmatch(r"unpack\((KEYS|ARGV)\)", assigned[2]):
            values = [f"{unpacked[1]}[{number}]" for number in range(1, len(names) + 1)]
        found |= zip(names, values, strict=True)
    return found


def needed(name: str) -> set[str]:
    """Return the shared files that a script lists in its first line."""
    needs = NEEDS.match(FILES[name])
    return {str(Path(name).with_name(file)) for file in needs[1].split(", ")} if needs else set()


def test_every_script_is_run_by_one_constant_and_every_constant_has_its_script() -> None:
    assert [constant.file for constant in CONSTANTS] == list(SCRIPTS)


def test_no_script_is_left_in_python() -> None:
    assert not [file for file in SERVICE.rglob("*.py") if "redis.call(" in file.read_text()]


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_names_the_function_that_runs_it(name: str) -> None:
    said = RUN_BY.search(SCRIPTS[name])
    assert said, "Run by ... in ...?"
    scope: ast.AST = ast.parse((ROOT / said[3]).read_text())
    for wanted in filter(None, said.groups()[:2]):
        (scope,) = (node for node in ast.iter_child_nodes(scope) if getattr(node, "name", None) == wanted)
    used = {getattr(node, "id", None) or getattr(node, "attr", None) for node in ast.walk(scope)}
    assert {constant.name for constant in CONSTANTS if constant.file == name} <= used


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_says_what_it_takes_what_it_returns_and_why_it_is_one(name: str) -> None:
    comment = parts(SCRIPTS[name]).comment
    for begins in ("-- KEYS", "-- Returns ", "-- Reason: "):
        assert any(line.startswith(begins) for line in comment), begins


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_head_names_every_argument_as_the_comment_does(name: str) -> None:
    comment, head, _ = parts(SCRIPTS[name])
    names = named(head)
    for group in ("KEYS", "ARGV"):
        arguments = documented(comment, group)
        fixed = list(takewhile(lambda argument: not argument.endswith("..."), arguments))
        for number, argument in enumerate(fixed, 1):
            assert f"{group}[{number}]" in names[argument]
        for argument in (argument.removesuffix("...") for argument in arguments[len(fixed) :]):
            begins = names.get(f"first_{argument}")
            assert begins == str(len(fixed) + 1) or group in names[argument]
        assert len(set(re.findall(rf"{group}\[\d+\]", " ".join(names.values())))) == len(fixed)


@pytest.mark.parametrize("name", FILES)
def test_below_the_head_arguments_have_names(name: str) -> None:
    assert not re.findall(r"(?:KEYS|ARGV)\[\d+\]", "\n".join(parts(FILES[name]).body))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_names_the_shared_files_that_it_needs_and_no_others(name: str) -> None:
    calls = set(re.findall(r"\b\w+(?=\()", SCRIPTS[name]))
    beside = {file: text for file, text in SHARED.items() if Path(file).parent == Path(name).parent}
    assert needed(name) == {file for file, text in beside.items() if calls & set(FUNCTION.findall(text))}


def test_every_shared_file_is_needed() -> None:
    assert set(SHARED) - {FENCE, GATE} == set().union(*map(needed, SCRIPTS))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_server_knows_a_script_by_the_hash_that_it_is_asked_by(name: str, valkey: Valkey) -> None:
    """The server compiles the script, too."""
    file = Path(name)
    loaded = script(file.stem, ".".join(file.parts[:2]))
    with valkey.client() as client:
        assert client.script_load(loaded.text) == loaded.sha


def test_a_script_is_sent_behind_the_functions_that_it_needs_and_without_comments() -> None:
    text = OVERDUE.text
    fence, _, rest = text.partition("end\n")
    assert fence.startswith("local layout, wanted = ")
    assert rest.startswith("local function server_time()\n")
    assert text.endswith("in_full(server_time() - grace), 'WITHSCORES')\n")
    assert "--" not in text


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name.startswith("service/store/")])
def test_a_script_of_the_store_looks_at_the_layout_before_anything_else(name: str) -> None:
    """The exceptions are scripts that only read, and the script that changes the layout."""
    (constant,) = (constant for constant in CONSTANTS if constant.file == name)
    (file,) = (file for file in (SERVICE / "store").glob("*.py") if f'script("{Path(name).stem}"' in file.read_text())
    text = getattr(import_module(f"service.store.{file.stem}"), constant.name).text
    fenced = Path(name).stem not in ("read_hash", "migrate_shard")
    assert text.startswith("local layout, wanted = table.remove(KEYS), table.remove(ARGV)\n") == fenced


OPEN = {
    "end_read_only",
    "find_overdue",
    "read_audit",
    "read_counts",
    "read_first_delivery",
    "read_index",
    "read_outbox",
    "read_presence",
    "read_rows",
    "record_act",
    "record_deliverer",
    "record_presence",
    "scan_shard",
}
"""Scripts that run while the store is read-only: they read, record that a process is present, or belong to the host."""


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name.startswith("service/store/")])
def test_a_script_that_writes_does_not_run_while_its_shard_is_read_only(name: str) -> None:
    (constant,) = (constant for constant in CONSTANTS if constant.file == name)
    (file,) = (file for file in (SERVICE / "store").glob("*.py") if f'script("{Path(name).stem}"' in file.read_text())
    loaded = getattr(import_module(f"service.store.{file.stem}"), constant.name)
    gated = Path(name).stem not in {*OPEN, "read_hash", "migrate_shard"}
    assert ("'CLOSED '" in loaded.text) == loaded.gated == gated


def test_every_lua_file_is_in_the_wheel() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    folders = {package: ROOT / package.replace(".", "/") for package in data}
    append_arguments = {
        file for package, folder in folders.items() for glob in data[package] for file in folder.glob(glob)
    }
    assert {ROOT / name for name in FILES} <= append_arguments
