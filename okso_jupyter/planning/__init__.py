"""Planning: turns a request into one chosen plan.

`request/` parses the request, `examples/` finds similar examples, `slot_filling/` matches tools
without examples, `schema/` and `prompt/` build the model's input, `sampling/` or `tree/` generate
candidates, `scoring/` ranks them. In: a request, the catalogue, settings, a model. Out: a
`Planning` with every candidate. `runs` imports it; it runs no tool.
"""
