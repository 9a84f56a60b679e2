"""Tools: commands that are not part of the service.

Some commands run the demo, follow games, let language models play, or show and verify records. Others simulate games,
compare bots or test a bot. The rest administer the service, migrate the store, rebuild indexes, or generate files.

Libraries: orjson, requests, rich.
"""
