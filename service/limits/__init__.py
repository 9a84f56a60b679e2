"""Limits: finds the caller of a request, and limits how many requests of each kind a caller may send.

`table` lists every limit. `addresses` finds a client's address behind proxies. `counting` counts requests on the queue
server, with the library `limits`. If that server does not answer, requests are allowed. This package does not contain
the caps, which limit how many games or webhooks, for example, a player may have at one time. The use cases enforce the
caps (`games.repository.Caps`).

Libraries: limits.
"""
