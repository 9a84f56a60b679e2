"""Limits: addresses, counting on a server, and what strangers can leave on the log server."""
