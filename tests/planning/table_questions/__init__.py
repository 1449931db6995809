"""Questions about tables, read and ranked."""
