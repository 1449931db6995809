"""Tests of the journal, with real files and processes."""
