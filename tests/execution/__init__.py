"""Tests of the execution of plans."""
