"""Tests of records: the chain, the document, and what a record shows to whom."""
