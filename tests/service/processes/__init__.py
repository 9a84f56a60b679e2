"""Tests of everything that can be started: each process alone, and all of them under the supervisor."""
