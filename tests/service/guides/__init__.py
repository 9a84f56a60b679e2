"""Tests of the guides: the documents, their HTML, and the search index."""
