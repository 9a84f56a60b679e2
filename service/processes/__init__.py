"""The processes of the service: web, worker, clock and deliver, and `serve`, which runs all of them.

A duty (`duties`) is a task that a process repeats in rounds; the work of a round is a use case of another package.

Libraries: aiohttp, flask, redis, rq.
"""
