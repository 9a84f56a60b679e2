"""Tests of the service, with real servers that each test run starts and ends; here those of the command line."""
