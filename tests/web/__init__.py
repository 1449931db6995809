"""Tests of guarded access to the web."""
