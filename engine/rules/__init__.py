"""The rules, as functions from which each edition chooses. No rule function checks which edition uses it."""
