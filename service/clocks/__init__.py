"""Clocks: how long a seat may think, which hours do not count, and the log's events for both.

This package is pure: it uses no store and does not read the time. Times are ms since the epoch, and spans of time are
ms. Time zones are those of tzdata, through zoneinfo.

Libraries: orjson.
"""
