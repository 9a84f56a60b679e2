"""Tools: commands that are separate from the service.

They play the demo, follow a game, let a language model play, show and verify records, simulate games, compare
bots, try a bot, administer the service, migrate the store, rebuild indexes, and generate files.

Libraries: orjson, requests, rich.
"""
