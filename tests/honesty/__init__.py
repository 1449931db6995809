"""Everyday requests and what they are answered, by the bundled model."""
