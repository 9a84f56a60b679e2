"""Tests of standing orders: the orders, and the moves that follow from them."""
