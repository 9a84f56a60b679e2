"""Tests of the store, on one server and on a cluster.

They do not depend on the meaning of commits.
"""
