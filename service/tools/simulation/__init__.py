"""Many games between bots, without a server: planned, played in several processes, counted and reported.

Libraries: orjson, rich.
"""
