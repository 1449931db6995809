"""Tree search for plans: beam search, Monte Carlo tree search and A* over steps a model proposes.

In: the planner's completion request, and a function that scores plans. Out: whole plans as
completions, and the search tree. The search algorithms do not depend on a model: they grow a
`Tree` over `Moves`. Only the planner imports it.
"""
