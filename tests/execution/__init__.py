"""Tests of the execution room."""
