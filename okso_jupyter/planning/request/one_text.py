"""Checks a tool that replaces one text by another for whether only one text is available."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from okso_jupyter.toolkit.tool import Tool


def needs_another_text(tool: Tool, schema: Mapping[str, Any]) -> bool:
    """Return whether a call could only give the same text for all its text arguments.

    Args:
        tool: The tool.
        schema: Schema of its arguments, with the values that a request offers.
    """
    parts = schema.get("properties", {})
    offered = [
        parts.get(name, {}).get("enum")
        for name in sorted(tool.required)
        if tool.properties[name].get("x-ground") == "text"
    ]
    is_one = all(values is not None and len(values) == 1 for values in offered)
    return len(offered) > 1 and is_one and len({values[0] for values in offered}) == 1
