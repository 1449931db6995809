"""The plan model: the records that all packages share.

They are frozen dataclasses (Plan, Step, Candidate, Scorecard, ApprovalRequest, Approval, ToolCall,
Observation), read from JSON data, and the tables of states. The package depends only on the
standard library and jsonschema.
"""
