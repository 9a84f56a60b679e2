"""The host's actions on players, games and the running service. Each action is recorded in the audit log.

The command line and the HTTP API call the same functions. No function here shows a hand or a seed. A token is shown
only when the host creates it.

Libraries: orjson.
"""
