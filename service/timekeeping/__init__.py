"""Timekeeping: clocks start and stop when games change, and reminders and timeouts are written when they are due.

The `clocks` package computes how long a seat may think, without using the store or reading the current time.
"""
