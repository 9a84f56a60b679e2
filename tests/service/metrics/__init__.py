"""Tests of metrics: each process counts, the counts are added up, and the text that is served names nobody."""
