"""Tools whose calls are read from the request: a model, and what fills slots, leave them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.tables.query import Query
from okso_jupyter.toolkit.catalog import ToolCatalog
from okso_jupyter.toolkit.tool import Tool

TABLE_TOOL: Final = "table_query"
CALCULATOR: Final = "calculator"
#: Their calls are not sampled.
READ_TOOLS: Final = frozenset({TABLE_TOOL, CALCULATOR})


def sampled_tools(tools: Mapping[str, Tool]) -> Mapping[str, Tool]:
    """Return the tools that a model may plan with: the calls of others are read."""
    if READ_TOOLS.isdisjoint(tools):
        return tools
    return ToolCatalog(tool for name, tool in tools.items() if name not in READ_TOOLS)


def query_in(args: Mapping[str, object]) -> Query | None:
    """Return the query of a call's arguments; None where they break the schema."""
    try:
        return Query.from_json(args)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
