"""A home directory written by an earlier version."""
