"""The processes of the service: web, worker, thinker, clock and deliver, and `serve`, which runs all of them.

A duty (`duties`) is a task that a process repeats in rounds. The function that does the work of a round
is in another package.

Libraries: aiohttp, flask, redis, rq.
"""
