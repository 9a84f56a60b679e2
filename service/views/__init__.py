"""What a caller is shown: a game, lists, events as they happen, the inbox, and the health of the service.

A view is a function of the stored data and the caller. Nothing here changes a game, except that a due timeout is
recorded before the view is made.

Libraries: orjson.
"""
