"""Hints on a queue that somebody must act in a game: who must act, the bot or the orders, is found out from the log.

A hint carries no choice and may be lost, repeated or late. The append lets only one of two who act at once have their
way. The queue's server holds nothing that is the only copy. The jobs that take hints live with the worker, in
`processes`.

Libraries: redis, rq.
"""
