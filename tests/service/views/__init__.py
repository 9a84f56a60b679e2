"""What a caller is shown."""
