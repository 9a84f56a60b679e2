"""Timekeeping: when clocks start, stop and run out, because of a change or because time has passed.

The package `clocks` computes how long a seat may think, without using the store or reading the current time.
"""
