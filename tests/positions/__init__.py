"""Positions and the number of lines of legal commands from each: what chess programmers call perft.

`<edition>@<revision>.perft` has one position per line: its notation, then `;D1 n ;D2 n ;D3 n`, the numbers of lines
that are one, two and three commands long. A line that ends the game sooner is not counted. Chance is
`SeededChance(bytes(32), [])`. The line above a position states its purpose after `#`.

`python -m tests.positions` picks the positions of unreleased revisions again from the recorded games, and counts them
slowly to depth two; `python -m tests.positions --check` counts all recorded positions slowly to depth three (minutes),
and writes nothing.
"""
