"""`make clients` reports what is missing and what failed; each generator has pinned tools and a short script."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .repository import load

ROOT = Path(__file__).parents[1]
GENERATED = ROOT / "clients" / "generated"
SCRIPTS = sorted([*GENERATED.glob("*/play.py"), *GENERATED.glob("*/play.ts")])
PLAIN = {"PATH": os.environ["PATH"]}


def test_the_tools_are_the_folders() -> None:
    tools = [tool for tool in load("clients").read_tools() if tool.folder.parent == GENERATED]
    assert {tool.folder.name for tool in tools} == {file.parent.name for file in GENERATED.glob("*/play.*")} | {
        "linters"
    }
    generators = [tool for tool in tools if "lint" not in tool.steps]
    assert all(list(tool.steps) == ["generate", "compile", "play"] for tool in generators)
    assert [tool.name for tool in tools if tool.always] == ["openapi-python-client", "openapi-typescript", "hey-api"]
    assert re.search(r"^make .*\bclients\b", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.parent.name)
def test_a_script_has_at_most_forty_lines(script: Path) -> None:
    lines = script.read_text().splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("script", sorted(GENERATED.glob("*/play.py")), ids=lambda script: script.parent.name)
def test_a_script_works_with_events_of_later_releases(script: Path) -> None:
    """The generated Python code cannot parse a type of event that it does not know."""
    code = re.sub(r"^ *#.*$", "", script.read_text(), flags=re.MULTILINE)
    assert "events" in code
    assert not re.search(r"\bget_events\b", code)


def test_every_version_is_pinned() -> None:
    for file in GENERATED.glob("*/requirements.txt"):
        for line in file.read_text().splitlines():
            assert re.match(r"[\w.-]+==[\w.]+( |$)|    # ", line), line
        wanted = re.findall(r"^([\w.-]+==\S+)", file.with_suffix(".in").read_text(), re.MULTILINE)
        assert {line.partition(" ")[0] for line in file.read_text().splitlines()} >= set(wanted)
    for file in GENERATED.glob("*/package.json"):
        content = json.loads(file.read_text())
        versions = content.get("dependencies", {}) | content["devDependencies"]
        locked = json.loads((file.parent / "package-lock.json").read_text())["packages"]
        assert versions == {name: locked[f"node_modules/{name}"]["version"] for name in versions}


def test_what_must_be_installed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clients = load("clients")
    tools = {tool.name: tool for tool in clients.read_tools()}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert clients.missing(tools["openapi-python-client"]) == []
    assert clients.missing(tools["hey-api"]) == [clients.NODE]
    assert clients.missing(tools["openapi-generator-typescript-fetch"]) == [clients.JAVA, clients.NODE]


def test_the_output_of_a_command_is_shown_if_it_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = load("clients").run
    assert run([sys.executable, "-c", "print('12 moves')"], tmp_path, PLAIN) == (True, "12 moves\n")
    assert capsys.readouterr().out.count("12 moves") == 1  # in the command itself
    assert run([sys.executable, "-c", "import sys; sys.exit('no ' + 'moves')"], tmp_path, PLAIN)[0] is False
    assert "\nno moves\nexit status: 1\n" in capsys.readouterr().out


def test_a_command_that_does_not_end_is_stopped_with_the_processes_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clients = load("clients")
    monkeypatch.setattr(clients, "LONGEST", 1)
    command = "sleep 100 & echo $! > child; wait"
    ok, _ = clients.run(["sh", "-c", command], tmp_path, PLAIN)
    assert not ok
    assert "stopped after 1 seconds" in capsys.readouterr().out
    child = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
    while child.exists() and ") Z " not in child.read_text():
        time.sleep(0.01)


def test_packages_are_installed_once_for_each_list(tmp_path: Path) -> None:
    clients = load("clients")
    place, packages = tmp_path / "place", tmp_path / "list"
    place.mkdir()
    packages.write_text("one")
    count = [sys.executable, "-c", "open('place/count', 'a').write('x')"]
    for _ in range(2):
        assert clients.prepare(place, packages, [count], PLAIN)
    assert (place / "count").read_text() == "x"
    packages.write_text("two")
    assert clients.prepare(place, packages, [count], PLAIN)
    assert (place / "count").read_text() == "xx"
    packages.write_text("three")
    assert not clients.prepare(place, packages, [["false"], count], PLAIN)
    assert clients.prepare(place, packages, [count], PLAIN)


def test_a_step_after_one_that_failed_does_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clients = load("clients")
    steps = {"generate": "true", "compile": "false", "play": "echo 7 moves"}
    result = clients.use(clients.Tool("one", tmp_path, "1.2", True, steps), "http://127.0.0.1")
    assert result.steps == {"generate": True, "compile": False}
    assert not result.ok
    steps["compile"] = "test {url} = http://127.0.0.1"
    result = clients.use(clients.Tool("two", tmp_path, "1.2", True, steps), "http://127.0.0.1")
    assert result.ok
    assert result.moves == "7"
    capsys.readouterr()


def test_the_table_has_a_line_for_each_tool() -> None:
    clients = load("clients")
    steps = {"generate": "", "compile": "", "play": ""}
    tool = clients.Tool("hey-api", GENERATED, "0.95.0", True, steps)
    library = clients.Tool("clients/python", ROOT, "0.3.0", True, {"play": ""})
    results = [
        clients.Result(tool, {"generate": True, "compile": True, "play": True}, 31.04, "42"),
        clients.Result(tool, {"generate": True, "compile": False}, 7),
        clients.Result(library, {}, 0),
    ]
    assert clients.table(results).splitlines() == [
        "tool            version  seconds  generate  compile  play  moves",
        "hey-api         0.95.0      31.0  ok        ok       ok       42",
        "hey-api         0.95.0       7.0  ok        FAILED   -         -",
        "clients/python  0.3.0        0.0  -         -        -         -",
    ]
    assert [result.ok for result in results] == [True, False, False]


@pytest.mark.parametrize(("terminal", "no_colour", "shown"), [(True, "", True), (True, "1", False), (False, "", False)])
def test_colours_are_for_terminals(
    terminal: bool, no_colour: str, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert load("clients").colour("ok  ") == ("\033[32mok  \033[0m" if shown else "ok  ")


def test_a_service_that_loses_a_request_while_it_starts_is_asked_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as threads:
        server.settimeout(10)

        def lose_one_and_answer_one() -> None:
            for response in (b"", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"):
                connection, _ = server.accept()
                with connection:
                    connection.recv(65_536)
                    connection.sendall(response)

        served = threads.submit(lose_one_and_answer_one)
        with subprocess.Popen(["sleep", "100"]) as process:
            try:
                load("clients").until_up(f"http://127.0.0.1:{server.getsockname()[1]}", process)
            finally:
                process.kill()
        served.result(10)


def test_the_arguments_are_checked_before_anything_starts() -> None:
    command = [sys.executable, ".ci/clients.py", "--tool", "unknown"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 2
    assert "invalid choice: 'unknown'" in process.stderr
