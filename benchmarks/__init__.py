"""The project's benchmarks: `make bench`, or `python -m benchmarks --help`.

Each file contains one measurement: a `measure` function that returns a `Section` with figures and their goals. Because
machines differ and are seldom idle, most speeds are also given as a ratio to a simple reference task, which runs
alternately with the measured task. Work in one process is measured in CPU time. `RESULTS.md` contains the figures of
one full run.

`arena` measures how strong the bots are and writes `ARENA.md`; `tune` improves the weights of a bot.
"""
