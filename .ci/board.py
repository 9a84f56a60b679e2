"""Check the types of the board's scripts with TypeScript's compiler, which the TypeScript client brings along.

Nobody who serves, plays or tests the board needs Node.js, so without it the check is left out, and says so.
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
"""The scripts of pages, and the service worker: they know different things of the browser."""
MISSING = "Board: types not checked, since there is no npm: install Node.js 20 or later (https://nodejs.org)."


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
