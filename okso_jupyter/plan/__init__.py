"""The plan model: the words that every room speaks.

In: JSON data and the plan schema. Out: frozen records (Plan, Step, Candidate, Scorecard,
Proposal, Approval, ToolCall, Observation) and the tables of states.
Standard library and jsonschema only.
"""
