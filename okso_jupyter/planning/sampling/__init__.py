"""Sampling: draws completions, parses them into plans, and decides when enough are drawn.

In: completions. Out: plans, finished parts of plans, or the reason why a completion is not a plan.
"""
