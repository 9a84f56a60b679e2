"""Talk: what people say to each other at a table, who may read it, and what players and the host can do about it.

Messages are stored beside a game's log, and are never in it. A message to some seats leaves no trace that anybody else
can see, so nothing in this package may depend on messages that the caller may not read.
"""
