"""This project as an MCP server: other clients plan, see, approve, run and audit with it.

In: calls of its tools over stdio. Out: texts; each approval is put to the client's person by
elicitation, and covers exactly what was shown. `okso_jupyter.mcp` starts it as a program, with
`python -m okso_jupyter.mcp`; everything else goes through the public `Session`.
"""
