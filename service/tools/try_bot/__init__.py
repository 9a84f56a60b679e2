"""Trying a bot: plays games with the engine, sends some of the turns to a bot's endpoint, and judges the responses.

Libraries: orjson, rich.
"""
