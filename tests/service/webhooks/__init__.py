"""Tests of webhooks: planning, contents, signatures, sending, and responses."""
