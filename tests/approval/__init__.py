"""Tests of the approval room."""
