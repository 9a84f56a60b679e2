"""A worker with a given number of turns per job, for the measurement of hints: `python -m benchmarks.worker TURNS`."""

from __future__ import annotations

import sys

from service.config import Config
from service.processes import jobs as bots
from service.processes import worker

if __name__ == "__main__":
    bots.TURNS = int(sys.argv[1])
    worker.run(Config.from_env())
