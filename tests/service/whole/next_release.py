"""A future release, derived from this one: a newer revision, format and layout, with everything that they need."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from engine import DEFAULT, NEWEST
from service.store import formats
from service.store.layout import LAYOUT

from .versions import ROOT

REVISION = NEWEST[DEFAULT].revision + 1
FORMAT = formats.FORMAT + 1
NEXT_LAYOUT = LAYOUT + 1

EDITION = f'''"""The next revision: nine cards to begin with."""

from dataclasses import replace

from .{DEFAULT.replace("-", "_")}_revision_{REVISION - 1} import EDITION as BEFORE

EDITION = replace(BEFORE, revision={REVISION}, hand_size=9)
'''

UPCASTS = f'{{{FORMAT - 1}: {{"region-chosen": lambda record: {{**record, "type": "region-contested"}}}}}}'

STEP = f'''

def rename_due(server: Server, shard: int, cursor: str) -> Batch:
    """Give what is due another name."""
    before, after = keys.of_shard(shard, "due"), keys.of_shard(shard, "owed")
    return Batch([("RENAME", before, after)] if server.ask("EXISTS", before) else [], None)


MIGRATIONS[{LAYOUT}] = (rename_due,)
'''


def write_next_release(folder: Path) -> str:
    """Write the release into a folder, and return its path for Python."""
    for name in ("engine", "service"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    _write_revision(folder)
    _write_format(folder)
    _write_layout(folder)
    return str(folder)


def _write_revision(folder: Path) -> None:
    (folder / f"engine/editions/{DEFAULT.replace('-', '_')}_revision_{REVISION}.py").write_text(EDITION)
    rules = folder / "service/editions/rules.json"
    clauses = json.loads(rules.read_text())
    rules.write_text(json.dumps({**clauses, f"{DEFAULT}@{REVISION}": clauses[f"{DEFAULT}@{REVISION - 1}"]}))


def _write_format(folder: Path) -> None:
    """Rename the choice of a region, both in the code and in the data that it writes."""
    for file in folder.rglob("*.py"):
        _edit(file, "RegionChosen", "RegionContested")
        _edit(file, "region-chosen", "region-contested")
    _edit(folder / "service/editions/sentences.en.json", "region-chosen", "region-contested")
    file = folder / "service/store/formats.py"
    _edit(file, r"\nFORMAT = \d+\n", f"\nFORMAT = {FORMAT}\n")
    _edit(file, r"(UPCASTS: .* = )\{\}", f"\\1{UPCASTS}")


def _write_layout(folder: Path) -> None:
    """Store due entries under a different key."""
    for name in ("store", "rebuild"):
        for file in (folder / "service" / name).glob("*.py"):
            _edit(file, '"due"', '"owed"')
    _edit(folder / "service/store/layout.py", r"\nLAYOUT = \d+\n", f"\nLAYOUT = {NEXT_LAYOUT}\n")
    with (folder / "service/store/migration.py").open("a", encoding="utf-8") as file:
        file.write(STEP)


def _edit(file: Path, pattern: str, text: str) -> None:
    file.write_text(re.sub(pattern, text, file.read_text(encoding="utf-8")), encoding="utf-8")
