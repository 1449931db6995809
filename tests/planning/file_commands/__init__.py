"""Requests that only say what to do with files."""
