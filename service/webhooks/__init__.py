"""Webhooks: subscriptions, deliveries about commits, the requests that send the deliveries, and the effects of the
endpoints' responses.

Other people control the endpoints and their addresses, so `addresses` and `sending` trust neither. The package `store`
stores the webhooks' data. The process `deliver` sends the deliveries.

Libraries: aiohttp, orjson, yarl.
"""
