"""Tests of the guarded way to the web."""
