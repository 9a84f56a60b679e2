"""Jobs: hints on a queue that a bot must act, and the job that lets it act.

A hint carries no choice and may be lost, repeated or late: the worker finds out from the log who must act, and the
append lets only one of two who act at once have their way. The queue's server holds nothing that is the only copy.

Libraries: redis, rq.
"""
