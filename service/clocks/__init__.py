"""Clocks: how much time a seat has, when clocks do not run, and which clock events the log contains.

This package uses no store and does not read the current time. Times are in ms since the epoch, and durations are in ms.
Time zones come from the tzdata package, never from the operating system.

Libraries: orjson.
"""
