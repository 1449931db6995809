"""Tests of auditing the choice."""
