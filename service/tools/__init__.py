"""Tools: commands that are separate from the service.

Tools play the demo, follow games, let language models play, and show and verify records. Other tools simulate games,
compare bots and try a bot. The remaining tools administer the service, migrate the store, rebuild indexes, and generate
files.

Libraries: orjson, requests, rich.
"""
