"""Tests of the benchmark of plans."""
