"""Tests of the rules, by clause and by case.

A test describes a position in a few words (`table`), makes moves, and compares the events.
"""
