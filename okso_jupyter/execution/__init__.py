"""From an approved plan to observations and an answer.

In: a plan, the catalogue, what tools are lent, and a clearance that every call must pass.
Out: Observations in the order in which they fell, and how the run ended.
Only `session` imports this room; it never plans: what must be planned anew it reports.
"""
