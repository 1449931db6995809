"""Policies: rules of `okso-policy.toml` that allow, ask about or deny calls before a person does.

In: the user's file, a trusted one beside the notebook, and the facts of a call. Out: the
`MatchedRule` that decides, or None; a file with an error is a PolicyError, never a missing rule.
`approval` asks at form and gate, `session` and `magic` load and explain; it runs no tool.
"""
