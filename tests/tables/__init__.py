"""Tests of tables: queries, their meaning, and the engine that runs them."""
