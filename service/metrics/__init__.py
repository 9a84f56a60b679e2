"""Metrics: each process's counters, the table of all metrics, and the text format for monitoring systems.

Any package may count events, because counting takes only a microsecond and needs no server. `hints/totals` adds up all
processes' counts, `views/metrics` reads data from the servers, and `processes` reports the counts and serves the
metrics.

Libraries: prometheus_client.
"""
