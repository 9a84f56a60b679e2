"""The rules: functions from which editions choose. No rule function checks which edition uses it."""
