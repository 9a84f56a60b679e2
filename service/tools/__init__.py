"""Tools: commands that are separate from the service.

Tools play the demo, follow games, let language models play, and show and verify records. They simulate games, compare
bots and try a bot. They also administer the service, migrate the store, rebuild indexes, and generate files.

Libraries: orjson, requests, rich.
"""
