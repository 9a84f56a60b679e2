"""Limits: identifies the caller of a request, and limits how many requests of each kind a caller may send.

`table` lists every limit. `addresses` finds a client's address behind proxies. `counting` counts requests on the queue
server, with the library `limits`. If that server does not answer, requests are allowed. Caps are not part of this
package: they limit, for example, how many games or webhooks a player may have at one time (`games.repository.Caps`).

Libraries: limits.
"""
