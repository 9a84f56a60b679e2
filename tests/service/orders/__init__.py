"""Standing orders: what they are, and what they come to."""
