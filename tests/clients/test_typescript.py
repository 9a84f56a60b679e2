"""The TypeScript client: its files are consistent with each other and with the project.

`clients/typescript/check` runs the client's own tests, which need Node and npm.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "clients" / "typescript"
LINES = 420
"""Maximum number of handwritten lines of code, not counting comments and empty lines."""
BOT = 8


def read(name: str) -> Any:
    """Parse one of the package's JSON files."""
    return json.loads((FOLDER / name).read_text())


def test_its_version_is_that_of_the_api() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    lock = read("package-lock.json")
    assert {read("package.json")["version"], lock["version"], lock["packages"][""]["version"]} == {version}


def test_its_types_are_those_of_the_description() -> None:
    """The generated file names its source, so this check needs neither Node nor a network."""
    types = (FOLDER / "src" / "schema.ts").read_text()
    found = re.search(r"^// SHA-256 of openapi/openapi\.json: (\w+)$", types, re.MULTILINE)
    assert found is not None
    now = hashlib.sha256((ROOT / "openapi" / "openapi.json").read_bytes()).hexdigest()
    assert found[1] == now, "run `npm ci && npm run types` in clients/typescript"


def test_it_depends_on_no_package_and_its_tools_are_pinned() -> None:
    package, lock = read("package.json"), read("package-lock.json")["packages"]
    assert "dependencies" not in package
    for name, version in package["devDependencies"].items():
        assert re.fullmatch(r"[\d.]+", version), name
        assert lock[f"node_modules/{name}"]["version"] == version
    assert all(one["integrity"].startswith("sha512-") for path, one in lock.items() if path)


def test_the_layer_over_the_types_is_thin() -> None:
    files = [file.read_text() for file in (FOLDER / "src").glob("*.ts") if file.name != "schema.ts"]
    lines = [line.strip() for line in "".join(files).splitlines()]
    code = [line for line in lines if line and not line.startswith(("//", "/**", "*"))]
    assert 0 < len(code) <= LINES


def test_the_bot_has_eight_lines_and_is_shown_in_the_guides() -> None:
    bot = (FOLDER / "examples" / "bot.mjs").read_text()
    assert sum(bool(line) for line in bot.splitlines()) <= BOT
    for guide in (FOLDER / "README.md", ROOT / "docs" / "clients.md"):
        assert f"```js\n{bot}```\n" in guide.read_text(), guide.name


def test_the_licence_is_that_of_the_project() -> None:
    assert (FOLDER / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
