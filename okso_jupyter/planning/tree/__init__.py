"""Plans grown step by step: beam search, Monte Carlo tree search and A* over what a model proposes.

In: what a planner asks its model, and how it judges plans. Out: whole plans as completions, and the
tree that was grown on the way. The searches know no model: they grow a `Tree` over `Moves`.
The planner alone imports it.
"""
