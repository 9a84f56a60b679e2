"""Arena: plays the same deals with each bot in every seat, keeps the results, and reports how strong each bot is.

Libraries: orjson, rich.
"""
