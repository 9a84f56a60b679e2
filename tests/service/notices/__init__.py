"""Tests of notices that people get by e-mail and as browser notifications."""
