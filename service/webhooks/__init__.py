"""Webhooks: subscriptions, the deliveries that follow from commits, how they are sent, and what the answers do.

Endpoints and their addresses belong to other people: `addresses` and `sending` trust neither. `store` holds the data of
webhooks; the process `deliver` makes the deliveries.

Libraries: aiohttp, orjson, yarl.
"""
