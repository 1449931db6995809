"""Simultaneous changes of one file."""
