"""Opens the files that commands read. A command passes a file name, or `-` for standard input."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

STDIN = "-"


def opened(name: str) -> AbstractContextManager[BinaryIO]:
    """Return a file, or standard input, to read in a `with` block, which closes the file. Raises: OSError."""
    return nullcontext(sys.stdin.buffer) if name == STDIN else Path(name).open("rb")
