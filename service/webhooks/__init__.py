"""Webhooks: subscriptions, deliveries about commits, the requests that send the deliveries, and the effects of the
endpoints' responses.

Other people control the endpoints and their addresses, so the modules `addresses` and `sending` do not trust them. The
`store` package stores the webhooks' data. The `deliver` process sends the deliveries.

Libraries: aiohttp, orjson, yarl.
"""
