"""Tests of undo: what a run did to files is taken back, or done again, as a whole."""
