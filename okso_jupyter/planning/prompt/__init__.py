"""The planner's prompt: selects tools, examples and values, and fits them into the context.

In: ranked tools, examples, facts. Out: `PlannerPrompt` (messages and a JSON Schema).
"""
