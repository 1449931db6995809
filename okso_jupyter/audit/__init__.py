"""Audit of the choice of a plan: why a candidate did not win, and what would have changed that.

In: scored candidates, weights, and a function that scores plans. Out: explanations, tables and the
what-if panel, always recomputed from the points. Imported by `planning`, `run` and `magic`, which
pass their candidates; it runs no tool and asks no model.
"""
