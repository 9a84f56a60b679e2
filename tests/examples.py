"""How many cases the tests try: a small number in a plain run, or EXAMPLES and ROUNDS times that number."""

import os

TIMES = int(os.environ.get("EXAMPLES", "1"))
ROUNDS = int(os.environ.get("ROUNDS", "1"))
"""How many times a test of the whole service runs if it takes `chance`."""


def examples(number: int) -> int:
    """Return how many examples a property test runs: this number in a plain run, or EXAMPLES times as many."""
    return number * TIMES
