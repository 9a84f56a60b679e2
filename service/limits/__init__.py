"""Limits: who a request comes from, how many requests of each kind a caller may send, and the counts on the queue
server.

`table` lists every limit. `addresses` finds a client's address behind proxies. `counting` counts requests with the
library `limits`; if the server that holds the counts is away, requests pass. Caps on what a player may have at one time
are not in this package, but in the use cases that enforce them (`games.repository.Caps`).

Libraries: limits.
"""
