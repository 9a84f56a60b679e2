"""Tools: commands beside the service.

They play the demo, follow a game, show a record, simulate games, migrate, rebuild, and generate files.

Libraries: orjson, requests, rich.
"""
