"""What a caller is shown: a game, lists, events as they happen, the inbox, and how the service does.

A view is a function of what is stored and of who asks. Nothing here changes a game, but that a timeout which is due is
written before anybody looks.

Libraries: orjson.
"""
