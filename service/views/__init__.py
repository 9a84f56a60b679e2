"""Views: what a caller may see of games, lists, events, the inbox and the service's health.

A view is a function of the stored data and the caller. Showing a view does not change a game, with one exception: if a
timeout is due, the service records the timeout before it computes the view.

Libraries: orjson.
"""
