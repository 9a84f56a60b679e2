"""Hints: messages on a queue. Each hint says that a worker must act in a game.

The log says whether a bot or standing orders must act. A hint does not contain a decision, and may be lost, repeated or
late. If two workers act at the same time, only one of them can append. If the queue server loses hints, the clock
process creates them again from the store. The jobs that take hints are in `processes`, next to the worker.

The queue server also adds up the counts of all processes for the metrics (`totals`).

Libraries: orjson, redis, rq.
"""
