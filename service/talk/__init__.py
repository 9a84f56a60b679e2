"""Talk: the messages at a table, who may read them, and what players and the host can do about them.

Messages are stored separately from a game's log. People who may not read a message must not be able to notice it.
Therefore, nothing that this package returns to a caller may depend on messages that the caller may not read.
"""
