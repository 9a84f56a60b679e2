"""When clocks start, stop and run out: what a game's clock says to a change, and what is due with time alone.

How long a seat may think is reckoned in `clocks`, which knows no store and no time of its own.
"""
