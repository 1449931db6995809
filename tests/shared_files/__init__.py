"""Changes of one file that are made at the same time."""
