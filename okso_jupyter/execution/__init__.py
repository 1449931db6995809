"""Plan execution: runs an approved plan and returns observations and an answer.

In: a plan, the catalogue, the tools' resources, and the gate that every call must pass.
Out: Observations in the order in which calls ended, and an `Outcome`.
`runs` and `resume` import it. It never plans: it returns a request for a new plan.
"""
