"""How much the tests try: what a plain run has time for, or EXAMPLES and ROUNDS times as much."""

import os

TIMES = int(os.environ.get("EXAMPLES", "1"))
ROUNDS = int(os.environ.get("ROUNDS", "1"))
"""How often a test of the whole service runs that takes `chance`."""


def examples(number: int) -> int:
    """Return how many examples a property takes: this number in a plain run, EXAMPLES times as many otherwise."""
    return number * TIMES
