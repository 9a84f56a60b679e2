"""Metrics: what the processes count, the table of all metrics, and the text that monitoring systems read.

Any package may count: a count takes a microsecond and needs no server. `hints/totals` adds up the counts of all
processes, `views/metrics` reads what the servers know, and `processes` reports and serves.

Libraries: prometheus_client.
"""
