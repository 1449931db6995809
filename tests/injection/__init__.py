"""Hostile files, and checks that they have no effect."""
