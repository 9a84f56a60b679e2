"""Accounts: registering players, their tokens and devices, recovery, export and deletion.

Libraries: orjson.
"""
