"""Correspondence: whole weeks in simulated time, with clocks, absence, vacation and outages."""
