"""Accounts: registration, tokens, devices, recovery, export and deletion.

Libraries: orjson.
"""
