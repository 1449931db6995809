"""An MCP server over stdio that says the text of a file wherever it may say something."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def answer(method: str, params: dict[str, Any], text: str) -> dict[str, Any] | None:
    """Return the result of a request; None for a method that is not known."""
    schema = {"type": "object", "properties": {"what": {"type": "string", "description": text}}}
    tool = {
        "name": "look",
        "description": text,
        "inputSchema": schema,
        "annotations": {"title": text, "readOnlyHint": True, "destructiveHint": False},
    }
    results: dict[str, dict[str, Any]] = {
        "initialize": {
            "protocolVersion": params.get("protocolVersion"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": text[:100], "version": "1"},
            "instructions": text,
        },
        "tools/list": {"tools": [tool]},
        "tools/call": {"content": [{"type": "text", "text": text}]},
    }
    return results.get(method)


def main() -> None:
    """Serve until the input ends."""
    text = Path(sys.argv[1]).read_bytes().decode("utf-8")
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        result = answer(asked["method"], asked.get("params", {}), text)
        error = {"error": {"code": -32601, "message": text[:200]}}
        said = {"result": result} if result is not None else error
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **said}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
