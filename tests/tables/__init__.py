"""Tests of tables: queries, what they mean, and the engine that runs them."""
