"""Standing orders over HTTP: given, followed, cancelled, withdrawn; and known to their seat alone."""
