"""Exact arithmetic, units and dates."""
