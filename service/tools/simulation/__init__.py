"""Many games of bots against bots, without a server: planned, played in several processes, counted and shown.

Libraries: orjson, rich.
"""
