"""Clocks: computes how long a seat has to think and when clocks do not run, and defines the clock events in the log.

This package uses no store and does not read the current time. Times are in ms since the epoch, and durations are in ms.
Time zones come from the package tzdata, never from the operating system.

Libraries: orjson.
"""
