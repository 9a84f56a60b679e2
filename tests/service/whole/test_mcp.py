"""`condottiere mcp` as a host program starts it: a whole duel by tool calls over stdio, and invalid input."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import TextContent

from service.cli import MCP_INSTALL

from ...guides import ADDRESS, follow
from .product import LONG, Service, running
from .versions import ROOT

WITHOUT_MCP = "import sys; sys.modules['mcp'] = None; from service.cli import main; main(['mcp'])"


def parameters(service: Service, folder: Path, errors: Path) -> StdioServerParameters:
    """Return the parameters with which a host program starts the server, which logs to a file."""
    env = {**os.environ, "CONDOTTIERE_URL": service.url, "XDG_CONFIG_HOME": str(folder), "CONDOTTIERE_TOKEN": ""}
    command = f"exec {sys.executable} -m service mcp 2>>{errors}"
    return StdioServerParameters(command="sh", args=["-c", command], env=env)


async def play(server: StdioServerParameters, mode: Literal["auto", "legacy"]) -> list[str]:
    """Play a duel only by tool calls, and return all responses; every move is the last legal one."""
    shown: list[str] = []
    async with Client(stdio_client(server), mode=mode) as client:

        async def call(tool: str, **arguments: str | int) -> str:
            result = await client.call_tool(tool, arguments)
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert not result.is_error, content.text
            shown.append(content.text)
            return content.text

        await call("list_editions")
        text = await call("open_game", edition="zman-2018-duel", seats=2)
        while "The game is over." not in text:
            found = re.search(r"^Game (\w+) of zman-2018-duel, version (\d+), running\. You are seat 0\.$", text, re.M)
            assert found, text
            game, version = found[1], int(found[2])
            numbers = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
            assert numbers == [str(number) for number in range(len(numbers))]
            if numbers:
                text = await call("move", game=game, number=len(numbers) - 1, version=version)
            else:
                text = await call("wait_for_turn", game=game, since=version)
            await call("explain_strength", game=game)
        assert f"{game}: zman-2018-duel, finished" in await call("list_games", which="finished")
        await call("read_clause", edition="zman-2018-duel", clause="1.1")
    return shown


@pytest.mark.slow
def test_a_whole_duel_is_played_by_tool_calls(folder: Path, tmp_path: Path) -> None:
    """One player uses the current and the older handshake. No response contains the token, and the log stays empty."""
    with running(folder, CONDOTTIERE_LIMITS="on") as service:
        server = parameters(service, folder, tmp_path / "errors")
        answers = [text for mode in ("auto", "legacy") for text in asyncio.run(play(server, mode))]
    (token,) = folder.glob("condottiere/*.token")
    assert not any(token.read_text().strip() in text for text in answers)
    assert len(set(re.findall(r'^Seat 0 \("(Model-\w+)"\), you: ', "\n".join(answers), re.MULTILINE))) == 1
    assert all(line.isprintable() for text in answers for line in text.splitlines())
    assert (tmp_path / "errors").read_text() == ""


@pytest.mark.slow
def test_the_session_of_the_guide(folder: Path, tmp_path: Path) -> None:
    """The session is self-contained: it needs no other section."""
    _, section = (ROOT / "docs" / "clients.md").read_text().split("\n## Language models\n")
    guide = tmp_path / "guide.md"
    guide.write_text(section.partition("\n## ")[0])
    with running(folder, CONDOTTIERE_LIMITS="on") as service:
        follow(guide, tmp_path, {ADDRESS: service.url}, XDG_CONFIG_HOME=str(tmp_path))
    assert len(list(tmp_path.glob("condottiere/*.token"))) == 1


@pytest.mark.slow
def test_what_is_not_a_request_does_not_end_the_server(tmp_path: Path) -> None:
    """The next request gets a response. The server ends with status 0 when its input ends."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    unknown = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": ["look"], "arguments": 7}}
    noise = ["", "no JSON", "[]", "\x00\x1b", '{"jsonrpc":"2.0"}', "[" * 100_000, '{"id":' + "9" * 10_000 + "}"]
    lines = [*noise, json.dumps(initialize), *noise, json.dumps(unknown)]
    answers: dict[Any, Any] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "service", "mcp", "--token-file", str(tmp_path / "token")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("\n".join([*lines, ""]))
        server.stdin.flush()
        # The end of its input would end the server even before it has sent the last response.
        while 2 not in answers:
            answer = json.loads(server.stdout.readline())
            answers[answer.get("id")] = answer
        server.stdin.close()
        assert server.wait(LONG) == 0
    assert answers[1]["result"]["serverInfo"]["name"] == "condottiere"
    assert answers[2]["error"]["code"] == -32602


def test_the_command_says_how_to_install_the_extra() -> None:
    """The instructions match the project's metadata."""
    ended = subprocess.run([sys.executable, "-c", WITHOUT_MCP], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"Error: this command needs the extra mcp: {MCP_INSTALL}\n"
    (asked,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["mcp"]
    assert f" -m pip install '{asked}'" in MCP_INSTALL


def test_a_setting_that_cannot_be_read_is_told_in_one_line() -> None:
    env = {**os.environ, "CONDOTTIERE_URL": "there", "CONDOTTIERE_TOKEN": ""}
    command = [sys.executable, "-m", "service", "mcp"]
    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert re.fullmatch(r"Error: CONDOTTIERE_URL or --url must be the address of a service, .*\n", ended.stderr)
