"""Tests of what tools are made of."""
