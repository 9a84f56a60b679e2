"""Limits: finds the caller of a request, and limits how many requests of each kind a caller may send.

`table` lists every limit. `addresses` finds a client's address behind proxies. `counting` counts requests on the queue
server, with the library `limits`. If that server does not answer, requests pass. Caps on the number of things that a
player may have at one time are not in this package, but in the use cases that enforce them (`games.repository.Caps`).

Libraries: limits.
"""
