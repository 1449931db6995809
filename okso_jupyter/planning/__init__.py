"""From a request to one chosen plan.

`request/` reads the request, `examples/` finds similar examples, `slot_filling/` matches tools that
have none, `schema/` and `prompt/` make the model's question, `sampling/` or `tree/` draw plans,
`scoring/` ranks them. In: a request, the catalogue, settings, a model. Out: a `Planning` with every
candidate. `runs` imports it; it runs no tool.
"""
