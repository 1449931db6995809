"""From completions of the model to plans, and when enough of them are drawn.

In: completions. Out: plans, finished parts of plans, or the reason why a completion is none.
"""
