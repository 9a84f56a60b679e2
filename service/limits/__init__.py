"""Limits: who the caller of a request is, and how many requests of each kind a caller may send.

`table` lists every limit. `addresses` finds a client's address behind proxies. `counting` counts requests on the queue
server, with the `limits` library. If the queue server does not answer, all requests are allowed. Caps are not part of
this package: they limit, for example, how many games or webhooks a player may have at one time
(`games.repository.Caps`).

Libraries: limits.
"""
