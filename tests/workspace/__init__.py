"""Tests of files beneath one root."""
