"""What the project is measured by: `make bench`, or `python -m benchmarks --help`.

One measurement a file, each with a `measure` that returns a `Section`: figures, and the goals they are held to.
Machines differ and are seldom idle; therefore a speed is also given as the ratio to something plain that is measured in
turns with it, and what runs in one process is counted in CPU time. `RESULTS.md` keeps the figures of one full run.
"""
