"""Views: what a caller may see of games, lists, events, the inbox and the service's health.

A view is a function of the stored data and the caller. Nothing here changes a game, except that a due timeout is
recorded before the view is computed.

Libraries: orjson.
"""
