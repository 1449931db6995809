"""Undo: the file effects of a run are reverted, or done again, all of them or none.

In: what the journal holds of a run, and the images of files that were changed. Out: the files as
they were, and records of it. `Run` imports it; it knows nothing of plans, models or tools.
"""
