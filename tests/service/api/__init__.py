"""Tests of the API as clients use it: requests to an app on a real server.

Every response is compared with the API's description.
"""
