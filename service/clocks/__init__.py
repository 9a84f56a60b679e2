"""Clocks: how long a seat has to think, when clocks do not run, and the clock events in the log.

This package uses no store and does not read the current time. Times are in ms since the epoch, and durations are in ms.
Time zones come from the package tzdata, never from the operating system.

Libraries: orjson.
"""
