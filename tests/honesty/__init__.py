"""Everyday requests and the answers of the bundled model to them."""
