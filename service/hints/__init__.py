"""Hints: messages on a queue, each about a game in which a worker must act.

The log says whether a bot or standing orders must act. A hint does not contain a decision, and may be lost, repeated or
late. If two workers act at once, only one of them can append. If the queue server loses hints, they are created again
from the logs. The jobs that take hints are in `processes`, with the worker.

The queue server also adds up the counts of the processes for the metrics (`totals`).

Libraries: orjson, redis, rq.
"""
