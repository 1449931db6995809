"""The tool whose calls are enumerated: a model, and what looks for free slots, leave it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.tool import Tool

TABLE_TOOL: Final = "table_query"


def sampled_tools(tools: Mapping[str, Tool]) -> Mapping[str, Tool]:
    """Return the tools that a model may plan with: queries are enumerated, not sampled."""
    if TABLE_TOOL not in tools:
        return tools
    return ToolCatalog(tool for name, tool in tools.items() if name != TABLE_TOOL)
