"""Clocks: the time that a seat has to think, the hours in which no clock runs, and the clock events in the log.

This package uses no store and does not read the current time. Times are in ms since the epoch, and durations are in ms.
The time zones come from tzdata, through zoneinfo, and never from the machine's own files.

Libraries: orjson.
"""
