"""Timekeeping: starts and stops clocks when games change, and writes reminders and timeouts when they are due.

The package `clocks` computes how long a seat may think, without using the store or reading the current time.
"""
