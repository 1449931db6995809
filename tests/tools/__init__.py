"""Tests of the tools, on real files and workers."""
