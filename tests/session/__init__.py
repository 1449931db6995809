"""Tests of the session room."""
