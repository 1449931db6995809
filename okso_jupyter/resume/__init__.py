"""Resuming an interrupted run: lists, checks and rebuilds runs, and settles uncertain calls.

In: the journal of a run. Out: its rebuilt state; calls of unknown outcome are settled, or a person
is asked. `runs` and `session` import it.
"""
