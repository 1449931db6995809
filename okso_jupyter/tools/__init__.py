"""The built-in tools, one file each; to add a tool, add a file here.

In: arguments and a ToolContext. Out: text, a JSON value or a ToolOutput; failures are raised.
Only `session` imports this package; tools know the toolkit and never each other.
"""
