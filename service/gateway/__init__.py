"""The gateway: an event loop in front of the WSGI app, which reads requests, parks those that wait, and writes answers.

The app runs in a small pool of threads. No client holds one of them: a request is called when all of it has arrived,
and its answer is written by the loop. Nothing is known here of games, and nothing of HTTP is known elsewhere that
concerns the connection and not the answer.

Libraries: aiohttp, multidict, orjson, uvloop, werkzeug.
"""
