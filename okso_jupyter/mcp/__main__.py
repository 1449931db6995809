"""`python -m okso_jupyter.mcp`: this project as an MCP server over stdio."""

from __future__ import annotations

import sys


def main() -> int:
    """Serve until the client ends; say what to install where the SDK is missing."""
    try:
        from okso_jupyter.mcp_server import served_tools  # noqa: PLC0415  needs the SDK, an extra
    except ModuleNotFoundError as error:
        if not str(error.name).startswith(("mcp", "pydantic")):
            raise
        sys.stderr.write("the MCP SDK is not installed: pip install 'okso-jupyter[mcp]'\n")
        return 1
    return served_tools.main()


if __name__ == "__main__":
    sys.exit(main())
