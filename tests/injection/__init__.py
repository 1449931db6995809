"""Hostile files, and what must not come of them."""
