"""The planner's prompt: which tools, examples and values the model is shown, within its context.

In: ranked tools, examples, facts. Out: `PlannerPrompt` (messages and a JSON Schema).
"""
