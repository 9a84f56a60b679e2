"""The project's benchmarks: `make bench`, or `python -m benchmarks --help`.

Each file has one measurement, with a function `measure` that returns a `Section`: figures, and the goals for them.
Machines differ and are seldom idle. A speed is therefore also given as a ratio to that of a simple reference task, the
two measured in turns. Work in one process is measured in CPU time. `RESULTS.md` has the figures of one full run.

`arena` measures how strong the bots are and writes `ARENA.md`; `tune` improves the weights of a bot.
"""
