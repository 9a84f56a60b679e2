"""Tests of limits: addresses, counting on a server, and how much strangers can store on the log server."""
