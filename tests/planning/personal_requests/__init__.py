"""Tests of the requests that ask for personal data alone."""
