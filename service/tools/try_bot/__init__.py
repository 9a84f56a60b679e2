"""Trying a bot: plays games with the engine, sends chosen turns of them to a bot's endpoint, and judges its answers.

Libraries: orjson, rich.
"""
