"""Tests of properties of the whole package."""
