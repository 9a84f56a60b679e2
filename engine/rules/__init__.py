"""The rules: one question a file, one answer a function. No rule knows which edition it plays in."""
