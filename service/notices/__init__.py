"""Notices: messages to people about their games, in the format that each receiver expects.

A notice says what kind of event happened, and in which game, but contains no cards, moves or other parts of the
position. The `webhooks` package plans and sends notices. This package does not read the store and sends nothing.

Libraries: cryptography, orjson.
"""
