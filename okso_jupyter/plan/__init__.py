"""The plan model: the words that every room speaks.

In: nothing but errors. Out: frozen records (Plan, Step, Candidate, Scorecard, Approval,
ToolCall, Observation) and the tables of states.
Standard library and jsonschema only; every room may import it.
"""
