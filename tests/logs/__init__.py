"""Logs as they were stored: games in every format of commits that was released, with what was shown of them.

`format-<number>/<game>.log` holds one game:

1. a line of JSON: the game's id, its seed, and what each caller was shown of it, the spectator last (`shown`);
2. then the commits, byte for byte as the log server has them.

`python -m tests.logs` writes those of today's format, out of some random weeks of correspondence: once, before the
release that is the first to write it. What a release has written stays as it is.
"""
