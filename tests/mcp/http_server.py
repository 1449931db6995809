"""An MCP server of the SDK over streamable HTTP on loopback; its argument is the port."""

from __future__ import annotations

import sys

from mcp.server import MCPServer

SERVER = MCPServer("sums")


@SERVER.tool()
def add(a: int, b: int) -> int:
    """Add two whole numbers."""
    return a + b


if __name__ == "__main__":
    SERVER.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
