"""The results file of an arena: one line of JSON per deal, appended as soon as the deal has been played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import orjson

from .cells import Cell, Deal


class BadResults(Exception):
    """A results file cannot be read. The message is one line with the reason."""


def read_results(file: Path) -> Mapping[str, dict[int, Deal]]:
    """Return the deals in a results file, keyed by the cell's key and the deal's number.

    If the last line is incomplete, it is ignored, and its deal is played again. Raises: BadResults, OSError.
    """
    deals: Mapping[str, dict[int, Deal]] = defaultdict(dict)
    if not file.exists():
        return deals
    lines = file.read_bytes().split(b"\n")
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = orjson.loads(line)
            cpu = record["cpu"]
            deal = Deal(record["deal"], tuple(record["won"]), None if cpu is None else tuple(cpu))
            deals[record["cell"]][deal.number] = deal
        except (KeyError, TypeError, ValueError):
            raise BadResults(f"{file}:{number} is not an arena result") from None
    return deals


class ResultsFile:
    """A results file that is open for appending. Without a path, nothing is written."""

    def __init__(self, path: Path | None) -> None:
        """Open a file, and cut off an incomplete last line. Raises: OSError."""
        self._file = None
        if path is not None:
            self._file = path.open("ab+")
            self._file.seek(0)
            self._file.truncate(self._file.read().rfind(b"\n") + 1)

    def __enter__(self) -> ResultsFile:
        """Return the file."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        if self._file:
            self._file.close()

    def append(self, cell: Cell, deal: Deal) -> None:
        """Append a deal."""
        if self._file:
            record = {"cell": cell.key, "deal": deal.number, "won": deal.won, "cpu": deal.cpu}
            self._file.write(orjson.dumps(record) + b"\n")
            self._file.flush()
