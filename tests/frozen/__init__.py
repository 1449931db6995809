"""Regression tests with the journal of an older version and the expected readings.

`python -m tests.frozen` regenerates `journal.sql` and `snapshots/`. It is run when
behaviour is meant to change, not when a test fails.
"""
