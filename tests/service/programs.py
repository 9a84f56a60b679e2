"""Programs that a test writes in the language of the shell."""

from __future__ import annotations

from pathlib import Path


def write_program(path: Path, text: str) -> Path:
    """Create a program, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path
