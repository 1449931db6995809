"""The journal: every decision, completion, call, result and change of state, appended and kept.

In: records, written before their effect is visible. Out: the records of a run, in order.
One SQLite file in the user's own folder; a `Run` reads it back, JSONL is an export.
"""
