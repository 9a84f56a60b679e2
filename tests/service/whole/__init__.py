"""Tests of the whole product: started as its users start it, observed from outside, and killed."""
