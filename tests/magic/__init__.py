"""Tests of the magics in a real IPython shell."""
