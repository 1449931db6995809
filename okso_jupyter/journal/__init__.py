"""The journal: an append-only record of every decision, completion, call, result and state change.

In: records, written before their effect is visible. Out: the records of a run, in order.
One SQLite file in the user's own folder; `Run` reads it back, and JSONL is an export format.
"""
