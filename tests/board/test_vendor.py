"""The board's third-party code is as its README describes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).parents[2] / "service" / "board" / "files" / "vendor"


def test_each_file_has_the_checksum_of_its_row_and_its_licence_beside_it() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", (VENDOR / "README.md").read_text(), re.MULTILINE)
    assert {name for name, _ in rows} == {path.name for path in VENDOR.glob("*.js")}
    for name, expected in rows:
        assert "Copyright (c) 2017 Google LLC" in (VENDOR / name).with_suffix(".LICENSE.txt").read_text()
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == expected
