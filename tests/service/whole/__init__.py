"""The whole product, started as its users start it, looked at from outside, and killed."""
