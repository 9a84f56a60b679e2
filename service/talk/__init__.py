"""Talk: the messages at a table, who may read them, and what players and the host can do about them.

Messages are stored separately from a game's log. People who are not allowed to read a message must not be able to find
out that the message exists. Therefore, the results that this package returns to a caller must not depend on messages
that the caller is not allowed to read.
"""
