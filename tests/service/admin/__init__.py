"""What the host of the service does: use cases, commands and requests."""
