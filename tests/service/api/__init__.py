"""What clients meet: requests to an app on a real server, every answer held against the API's description."""
