"""Timekeeping: when clocks start, stop and run out, because of a change or because time has passed.

`clocks` computes how long a seat may think; it uses no store and does not read the time.
"""
