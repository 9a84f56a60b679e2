"""The gateway: an event loop in front of the WSGI app.

The loop reads requests, parks waiting requests, and writes responses.

The app runs in a small pool of threads. Slow clients do not occupy these threads, because the gateway calls the app
only when a whole request has arrived, and the loop writes the response. The gateway contains no code about games. The
other packages contain no code about connections, only about requests and responses.

Libraries: aiohttp, multidict, orjson, uvloop, werkzeug.
"""
