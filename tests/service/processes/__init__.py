"""What can be started: each process alone, and all under the supervisor."""
