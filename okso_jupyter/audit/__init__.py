"""Auditing the choice: why a candidate did not win, what would have changed it, and by how much.

In: scored candidates, weights, and a function that scores plans. Out: explanations, tables and the
what-if panel, all worked out again from the points, never remembered. Imported by `planning`,
`run` and `magic`, which hand their candidates over; it runs no tool and asks no model.
"""
