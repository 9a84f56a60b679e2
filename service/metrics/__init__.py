"""Metrics: the counters of the processes, the table of all metrics, and the text that monitoring systems read.

Any package may count events, because counting takes a microsecond and needs no server. `hints/totals` adds up the
counts of all processes, `views/metrics` reads the data of the servers, and `processes` reports the counts and serves
the metrics.

Libraries: prometheus_client.
"""
