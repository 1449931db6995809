"""Tests of `okso_jupyter.session`."""
