"""The gateway: an event loop in front of the WSGI app. It reads requests, parks those that wait, and writes answers.

The app runs in a small pool of threads, and no client holds a thread: the gateway calls the app once a whole request
has arrived, and the loop writes the answer. The gateway knows nothing of games. The other packages know nothing of
connections, only of requests and answers.

Libraries: aiohttp, multidict, orjson, uvloop, werkzeug.
"""
