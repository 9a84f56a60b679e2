"""Tests of the web process's gateway: raw connections, slow clients, waiting clients, and how it stops."""
