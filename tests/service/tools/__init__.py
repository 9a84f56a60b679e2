"""Commands beside the service."""
