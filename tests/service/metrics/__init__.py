"""Metrics: counted by every process, added up, and served as text that names nobody."""
