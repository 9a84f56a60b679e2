"""Trying a bot: plays games with the engine, sends some of their turns to a bot's endpoint, and judges the answers.

Libraries: orjson, rich.
"""
