"""Recordings: everything a run took from outside, stored so that it can be replayed without it.

In: the events of a run, or a recording. Out: one JSON document, private and exact; replaying it
gives the same completions, outputs and decisions, or an error that names what is missing.
A run meets the outside at a `Boundary`: live and recorded, or replayed. `runs` and `session`
import it.
"""
