"""Tests of what tools are lent."""
