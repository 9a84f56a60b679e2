"""Webhooks: subscriptions, the deliveries that follow from commits, sending them, and the effects of the answers.

Endpoints and their addresses are controlled by other people, so `addresses` and `sending` trust neither. The package
`store` stores the data of webhooks; the process `deliver` sends the deliveries.

Libraries: aiohttp, orjson, yarl.
"""
