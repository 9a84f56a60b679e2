"""The processes of the service: web, worker, thinker, clock and deliver, and `serve`, which runs all of them.

A duty (`duties`) is a task that a process repeats in rounds. Other packages contain the functions that do the work of a
round.

Libraries: aiohttp, flask, redis, rq.
"""
