"""Metrics: each process's counters, the table of all metrics, and the text format for monitoring systems.

Any package may count events, because counting takes only a microsecond and needs no server. `processes` reports each
process's counts, and `hints/totals` adds them up. `views/metrics` combines the totals with other data from the servers.
`processes` serves the metrics.

Libraries: prometheus_client.
"""
