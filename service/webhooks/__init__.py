"""Webhooks: subscriptions, deliveries about commits, the requests that send them, and the effects of the answers.

Endpoints and their addresses are controlled by other people, so `addresses` and `sending` trust neither. The package
`store` stores the webhooks' data. The process `deliver` sends the deliveries.

Libraries: aiohttp, orjson, yarl.
"""
