"""Clocks: how long a seat may think, which hours do not count, and what the log says about both.

Pure: no store, no time of its own. Times are ms since the epoch, spans of time are ms. Time zones are those of tzdata,
through zoneinfo.

Libraries: orjson.
"""
