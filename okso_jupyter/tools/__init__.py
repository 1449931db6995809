"""The built-in tools, one file each; a new tool is one new file here.

In: arguments and a ToolContext. Out: text, a JSON value or a ToolOutput; failures are raised.
Only `session` imports this room; tools know the toolkit and never each other.
"""
