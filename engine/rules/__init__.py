"""The rules, as functions that editions choose from. No rule function checks which edition uses it."""
