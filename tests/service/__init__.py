"""Tests of the service against real servers, which each test run starts and ends.

The files in this folder itself test the command line.
"""
