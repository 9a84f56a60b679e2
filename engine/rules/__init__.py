"""The rules, as functions from which editions choose. No rule depends on which edition uses it."""
