"""Tools of MCP servers: configured servers are started when needed, and their tools offered.

In: `mcp.json` files, the user's approvals of tool definitions, effects that the user pinned. Out:
`Tool` objects called `server.tool`, and the state of each server. What a server says is untrusted
data: bounded, made legible, compared with what was approved. The SDK is the package `mcp`.
"""
