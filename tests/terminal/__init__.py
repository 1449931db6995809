"""Tests of the terminal's commands."""
