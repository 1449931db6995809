"""A home that an earlier version left."""
