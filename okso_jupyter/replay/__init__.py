"""Recordings: what a run took from outside, kept so that it can run again from that alone.

In: the events of a run, or a recording. Out: one JSON document, private and exact; and from it the
same completions, outputs and decisions, or an error that names what is missing.
`boundary.py` is where a run meets the outside, live or replayed. `runs` and `session` import it.
"""
