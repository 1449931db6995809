"""Resuming an interrupted run: which can be resumed, how far they are, what is uncertain.

In: the journal of a run. Out: its rebuilt state; calls of unknown outcome are settled or asked
about. `runs` and `session` import it.
"""
