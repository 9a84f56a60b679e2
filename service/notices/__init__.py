"""Notices: the text of messages to people about their games, and the format that each receiver expects.

A notice says that something happened, and in which game. It contains no cards, no moves and nothing else of the
position. Webhooks plan and send notices. This package reads no store and sends nothing.

Libraries: cryptography, orjson.
"""
