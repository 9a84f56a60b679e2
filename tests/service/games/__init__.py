"""Games as their logs say."""
