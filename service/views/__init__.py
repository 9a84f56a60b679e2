"""Views: the parts of games, lists, events, the inbox and the service's health that a caller may see.

A view is a function of the stored data and the caller. Nothing here changes a game, except that a due timeout is
recorded before the view is computed.

Libraries: orjson.
"""
