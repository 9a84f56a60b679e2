"""The processes of the service: web, worker, clock and deliver, and `serve`, which runs all of them with own servers.

A duty (`duties`) is what a process does in rounds; what a round does is a use case of another package.

Libraries: aiohttp, flask, redis, rq.
"""
