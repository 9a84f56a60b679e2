"""Tools: commands that are separate from the service.

They play the demo, follow a game, let a language model play, show a record, simulate games, migrate, rebuild, and
generate files.

Libraries: orjson, requests, rich.
"""
