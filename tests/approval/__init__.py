"""Tests of the approval of plans."""
