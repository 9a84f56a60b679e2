"""What the host of the service does to players and games, and to the service while it runs; each act is in a log.

The command line and HTTP call the same functions. Nothing here shows a hand, a seed or a token.

Libraries: orjson.
"""
