"""Send the API thousands of generated requests: `python -m tests.hostile --cases 50000`.

The run starts its own service. All of schemathesis's checks are on. Among others: no response is a 5xx, every response
is described, the server accepts what the description allows, and it refuses what the description forbids. Requests also
follow the description's links, from an opened game to its moves.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

from ..service.servers import folder_for_data
from ..service.whole.product import Service, running
from .hooks import new_token

HERE = Path(__file__).parent
EXAMPLES = 20
"""The number of requests of each kind for each operation in the first run. Later runs send more and skip
repetitions."""
PHASES = ("examples,coverage,fuzzing,stateful", "fuzzing,stateful")
"""The phases of the first run, and of later runs: examples and boundary values are the same in each run."""
SETTINGS = {"WEB_WORKERS": "1", "LOG_LEVEL": "warning", "CONDOTTIERE_LIMITS": "off"}


def main() -> int:
    """Run until enough requests have been sent or a run has failed; return the exit status."""
    parser = ArgumentParser("make hostile", description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=50_000, help="the least number of requests to send (50,000)")
    parser.add_argument("--seed", type=int, help="repeat the run with this seed")
    options = parser.parse_args()
    seed = random.randrange(2**32) if options.seed is None else options.seed
    sent, begun = 0, time.monotonic()
    with folder_for_data("hostile-") as folder, running(Path(folder), **SETTINGS) as service:
        for number in range(sys.maxsize):
            examples = EXAMPLES if number == 0 else 10 * EXAMPLES
            count, ok = run(service, Path(folder) / "report.json", PHASES[number > 0], examples, seed + number)
            sent += count
            minutes, seconds = divmod(round(time.monotonic() - begun), 60)
            print(f"{sent} of {options.cases} requests sent in {minutes}:{seconds:02}, seed {seed}", flush=True)
            if not ok or sent >= options.cases:
                return 0 if ok else 1
    raise AssertionError("the loop returns")


def run(service: Service, report: Path, phases: str, examples: int, seed: int) -> tuple[int, bool]:
    """Run schemathesis once; return how many requests it sent, and whether every response passed all checks."""
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", HERE / "schemathesis.toml"]
    command += ["run", f"{service.url}/openapi.json", "--checks", "all", "--phases", phases]
    command += ["--max-examples", examples, "--seed", seed, "--report", "json", "--report-json-path", report]
    caller = {"HOSTILE_URL": service.url, "HOSTILE_TOKEN": new_token(service.url)}
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "tests.hostile.hooks", **caller}
    status = subprocess.run(list(map(str, command)), env=environment, check=False).returncode
    if not report.exists():
        return 0, False
    result = json.loads(report.read_text())
    return result["test_cases"]["generated"], status == 0 and result["complete"]


if __name__ == "__main__":
    sys.exit(main())
