"""Notices: what people are sent about their games, in words, and the forms in which each receiver expects it.

A notice says that something happened, and in which game. It contains no cards, no moves and nothing else of the
position. Webhooks plan and send notices. This package reads no store and sends nothing.

Libraries: cryptography, orjson.
"""
