"""Tests of the frames: columns, dtypes, units."""
