"""Simulation: plans many games between bots, plays them in several processes without a server, and reports the results.

Libraries: orjson, rich.
"""
