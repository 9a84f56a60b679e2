"""Accounts: registering players, finding the player of a token, and replacing tokens.

Libraries: orjson.
"""
