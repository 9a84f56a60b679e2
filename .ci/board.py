"""Check the types of the board's scripts with the TypeScript compiler that the TypeScript client installs.

Without npm, this script skips the check and says so, because serving, playing and testing the board need no Node.js.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "clients" / "typescript"
COMPILER = CLIENT / "node_modules" / ".bin" / "tsc"
PROJECTS = ("tsconfig.json", "tsconfig.worker.json")
"""The pages' scripts and the service worker, which are separate projects because their browser APIs differ."""
MISSING = "Board: types not checked, because npm is missing: install Node.js 20 or later (https://nodejs.org)."


def main() -> int:
    """Install the compiler if it is missing, run it, and return its exit code."""
    npm = shutil.which("npm")
    if npm is None:
        print(MISSING, file=sys.stderr)
        return 1 if os.environ.get("CI") else 0
    if not COMPILER.exists():
        subprocess.run([npm, "ci", "--silent", "--no-fund", "--no-audit"], cwd=CLIENT, check=True)
    for project in PROJECTS:
        checked = subprocess.run([COMPILER, "-p", ROOT / "tests" / "board" / project], cwd=ROOT, check=False).returncode
        if checked:
            return checked
    print("Board: types checked.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
