"""Tests of webhooks: what is planned, said, signed, sent and answered."""
