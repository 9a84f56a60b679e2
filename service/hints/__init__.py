"""Hints: messages on a queue. Each hint says that a worker must act in a game.

The log says whether a bot or standing orders must act. A hint does not contain a decision, and may be lost, repeated or
late. If two workers act at the same time, only one of them can append its commit. If the queue server loses hints, the
clock process recreates them from the store. The jobs that take hints from the queue are in `processes`, next to the
worker.

For the metrics, the queue server also adds up the counts of all processes (`totals`).

Libraries: orjson, redis, rq.
"""
