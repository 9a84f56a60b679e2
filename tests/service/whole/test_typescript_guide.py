"""The TypeScript section of the guide to clients works as shown."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ...guides import ADDRESS, ROOT, follow
from ..servers import free_port
from .product import running

GUIDE = ROOT / "docs" / "clients.md"
FOLDER = ROOT / "clients" / "typescript"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_session(folder: Path, tmp_path: Path) -> None:
    """The session runs in a copy of the package, whose tools npm installs from its cache or its registry."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm to build the package")
    copy = tmp_path / "package"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules", "build", "dist"))
    install = [npm, "ci", "--silent", "--prefer-offline", "--no-audit", "--no-fund", "--prefix", str(copy)]
    if subprocess.run(install, check=False).returncode != 0:
        pytest.skip("npm cannot install the tools of the package")
    (section,) = re.findall(r"^## TypeScript\n.*?(?=^## |\Z)", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    guide = tmp_path / "typescript.md"
    guide.write_text(section)
    port = free_port()
    replaced = {"./clients/typescript": f"{copy}", "clients/typescript": f"{copy}"}
    replaced |= {"127.0.0.1:9000": f"127.0.0.1:{port}", "listen(9000": f"listen({port}"}
    with running(folder, WEBHOOK_NETWORKS="127.0.0.0/8") as service:
        # The installed packages are in npm's cache now. Not every registry supports audits.
        quick = {"npm_config_prefer_offline": "true", "npm_config_audit": "false", "npm_config_fund": "false"}
        follow(guide, tmp_path, {ADDRESS: service.url, **replaced}, **quick)
