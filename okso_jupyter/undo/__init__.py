"""Undo and redo: reverts a run's file changes or makes them again, all of them or none.

In: the journal records of a run, and stored images of the changed files. Out: the restored files,
and records of it. `Run` imports it; it does not depend on plans, models or tools.
"""
