"""Tests of the views: text is always shown as text."""
