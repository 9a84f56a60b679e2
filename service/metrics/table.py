"""The table of all metrics.

`docs/metrics.md` explains each metric, and a test compares this table with the document.
"""

from __future__ import annotations

from .counting import Counter, Fact, Gauge, Histogram, Metric

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bounds of buckets, in seconds, for work within one machine."""
SLOW = (0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0, 7_200.0)
"""Bounds of buckets, in seconds, for work that waits for the next round of a duty or for a server outside the
service."""

REQUESTS = Counter("requests_total", "Requests answered.", "operation", "status")
REQUEST_SECONDS = Histogram(
    "request_duration_seconds",
    "Time from passing a request to the app until its response was ready, not counting the waiting time of long polls.",
    "operation",
    bounds=QUICK,
)
CONNECTIONS = Gauge("connections_open", "Open client connections.")
WAITS = Gauge("waits_open", "Waiting long polls and open streams.", "kind")
LIMITS_HIT = Counter("limits_hit_total", "Requests refused because of a limit.", "limit")
APPENDS = Counter("appends_total", "Commits appended to logs.")
CONFLICTS = Counter("append_conflicts_total", "Commits not appended because another commit was appended first.")
REPLAY_SECONDS = Histogram("replay_duration_seconds", "Time to rebuild a game from its log.", bounds=QUICK)
ROUND_TRIP_SECONDS = Histogram(
    "store_round_trip_seconds", "Time until the log server answered one batch of commands.", bounds=QUICK
)
STORE_FAILURES = Counter("store_failures_total", "Batches of commands that the log server did not answer.")
MESSAGES = Counter("messages_total", "Messages that people wrote at tables.")
HINTS = Counter("hints_total", "Hints for workers.", "result")
TURNS = Counter("worker_turns_total", "Turns that workers played for bots or according to standing orders.")
LATENESS = Histogram(
    "deadline_lateness_seconds", "Time from a missed deadline until its timeout was written.", bounds=SLOW
)
TRIES = Counter("webhook_tries_total", "Requests sent to webhooks.", "status")
DELIVERIES = Counter("webhook_deliveries_total", "Deliveries finished.", "status")
DELIVERY_SECONDS = Histogram("webhook_delay_seconds", "Time from an event until its webhook accepted it.", bounds=SLOW)
DUTY_FAILURES = Counter("duty_failures_total", "Failed rounds of duties.", "duty")

STORE_UP = Fact("store_up", "Whether the log server answered this scrape.")
QUEUE_UP = Fact("queue_up", "Whether the queue server answered this scrape.")
PROCESSES = Fact("processes", "Processes that have reported in the last 20 seconds.", "process")
DUTY_UP = Fact("duty_up", "Whether a duty has finished a round recently, as in the health report.", "duty")
DUTY_ROUND = Fact("duty_last_round_timestamp_seconds", "When a duty last finished a round.", "duty")
GAMES = Fact("games", "Games by status.", "status")
SET_ASIDE = Fact("games_set_aside", "Games that nobody can continue.")
DUE_TURNS = Fact("due_turns", "Games in which a bot or standing orders must act.")
DUE_AGE = Fact("due_turn_age_seconds", "Longest time that a game has waited for a bot or standing orders to act.")
ALARM_AGE = Fact("alarm_lateness_seconds", "How long the clock's oldest alarm has been due.")
HINTS_WAITING = Fact("hints_waiting", "Hints that no worker has taken.", "line")
JOBS_WAITING = Fact("jobs_waiting", "Jobs on the queue.")
LANES_DUE = Fact("webhook_lanes_due", "Delivery sequences whose next delivery is overdue.")
LANE_AGE = Fact("webhook_due_age_seconds", "Longest time that a sequence of deliveries has been overdue.")
OUTBOX_AGE = Fact("webhook_plan_age_seconds", "Age of the oldest commit whose deliveries are not planned yet.")
MEMORY = Fact("server_memory_bytes", "Memory that a server uses.", "server", "node")
MEMORY_LIMIT = Fact("server_memory_limit_bytes", "The server's maxmemory; absent if it has none.", "server", "node")

METRICS: dict[str, Metric] = {metric.name: metric for metric in list(globals().values()) if isinstance(metric, Metric)}
"""Every metric by its name, in the order in which `text` lists them."""


def count_limit(name: str) -> None:
    """Count a request that a limit refused. `name` is the name of the limit, never the name of a caller."""
    LIMITS_HIT.add(name)
