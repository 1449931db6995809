"""Recordings: what runs took from outside, kept so that they run again from that alone.

In: the records of a run, as they are written or from the journal. Out: one JSON document, private
and exact; and from it the same completions, outputs and decisions, or an error that names the gap.
`session` imports it; it knows the journal, and neither planner, form nor executor.
"""
