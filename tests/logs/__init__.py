"""Stored logs: games in every released format of commits, with the views that the service showed of them.

`format-<number>/<game>.log` holds one game:

1. a line of JSON: the game's id, its seed, and the view of each caller, the spectator's last (`shown`);
2. then the commits, byte for byte as the log server stores them.

`python -m tests.logs` writes the logs of the current format from some random weeks of correspondence games. Run it
once, before the first release that uses the format. Logs that a release has written never change.
"""
