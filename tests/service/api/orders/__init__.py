"""Standing orders over HTTP: they are given, followed, cancelled and withdrawn, and known only to their seat."""
