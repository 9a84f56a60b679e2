"""Metrics: each process's counters, the table of all metrics, and the text that monitoring systems read.

Any package can count events, because counting takes a microsecond and does not need a server. `hints/totals` adds up
all processes' counts, `views/metrics` reads data from the servers, and `processes` reports the counts and serves the
metrics.

Libraries: prometheus_client.
"""
