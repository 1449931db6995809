"""Runs of before, read as they were: journals of an older version, and what was read from them.

`python -m tests.frozen` makes `journal.sql` and `snapshots/` anew, which is done when behaviour
is to change and not when a test fails.
"""
