"""The gateway: an event loop in front of the WSGI app.

The loop reads requests, parks waiting requests, and writes responses.

The app runs in a small pool of threads. Slow clients do not occupy these threads: the gateway calls the app only after
a whole request has arrived, and the loop writes the response. The gateway knows nothing about games. The other packages
know nothing about connections, only about requests and responses.

Libraries: aiohttp, multidict, orjson, uvloop, werkzeug.
"""
