"""Tests of what is shown: text stays text."""
