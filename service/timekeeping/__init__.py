"""Timekeeping: starts and stops clocks after changes, and writes reminders and timeouts when time has passed.

The package `clocks` computes how long a seat may think, and does not use the store or read the current time.
"""
