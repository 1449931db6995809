"""table_query: one typed question about one table, answered by a query engine in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import Any, Final

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.effects.named_paths import Need, Paths
from okso_jupyter.errors import ToolError
from okso_jupyter.tables.column_kinds import problem
from okso_jupyter.tables.database import is_remote_source
from okso_jupyter.tables.engine import Result
from okso_jupyter.tables.file_kinds import parts_of
from okso_jupyter.tables.query import (
    BOUND_COMPARISONS,
    CHARTS,
    COMBINATIONS,
    COMPARISONS,
    FUNCTIONS,
    OPERATORS,
    PARTS,
    Query,
)
from okso_jupyter.tables.query_wording import answer
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput, tool

_TIMEOUT_S: Final = 120.0
_NO_CHARTS: Final = (
    "a chart needs matplotlib, which is not installed: pip install 'okso-jupyter[tables]'"
)
_COLUMN: Final = {"type": "string", "minLength": 1, "x-column": "source"}
_VALUE: Final = {"type": ["string", "number"]}
# a part that is left out is the whole value, which has no name
_PART: Final = {"enum": [part for part in PARTS if part], "x-omit": True}
_FILTER: Final = {
    "type": "object",
    "properties": {
        "column": _COLUMN,
        "comparison": {"enum": list(COMPARISONS)},
        "value": {"anyOf": [_VALUE, {"type": "array", "items": _VALUE}]},
        "part": _PART,
    },
    "required": ["column", "comparison"],
    "additionalProperties": False,
}
_MEASURE: Final = {
    "type": "object",
    "properties": {
        "function": {"enum": list(FUNCTIONS)},
        "column": _COLUMN,
        "other": {**_COLUMN, "description": "Second column of a correlation."},
    },
    "required": ["function"],
    "additionalProperties": False,
}
_BOUND: Final = {
    "type": "object",
    "properties": {
        "comparison": {"enum": list(BOUND_COMPARISONS)},
        "value": {"type": "number"},
    },
    "required": ["comparison", "value"],
    "additionalProperties": False,
}
_SOURCE: Final = {
    "type": "string",
    "minLength": 1,
    "description": "Table file, file.db/table, or notebook variable with a table.",
    "x-ground": "file",
}
_JOIN: Final = {
    "type": "object",
    "properties": {
        "source": _SOURCE,
        "column": {**_COLUMN, "description": "Column of the table so far with the same values."},
        "other": {"type": "string", "description": "The other table's column, if called else."},
    },
    "required": ["source", "column"],
    "additionalProperties": False,
}
_COMPUTED: Final = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "left": {"anyOf": [_COLUMN, {"type": "number"}]},
        "operator": {"enum": list(OPERATORS)},
        "right": {"anyOf": [_COLUMN, {"type": "number"}]},
    },
    "required": ["name", "left", "operator", "right"],
    "additionalProperties": False,
}


def _query(args: Mapping[str, Any]) -> Query:
    """Return the query of a call."""
    return Query.from_json(args)


def _effect(args: Mapping[str, Any]) -> Effects:
    """Return the effect of a call: a database is asked over the network."""
    is_remote = is_remote_source(str(args.get("source", "")))
    return frozenset({Effect.NETWORK if is_remote else Effect.READS})


def _lint(args: Mapping[str, Any]) -> str:
    """Return why no table can answer the query; the table is not read."""
    query = _query(args)
    return problem(query) or (_NO_CHARTS if query.chart and not _has_charts() else "")


def _has_charts() -> bool:
    return find_spec("matplotlib") is not None


def _paths(args: Mapping[str, Any]) -> Paths:
    """Return the files that a call needs; a name without a suffix may be a variable's."""
    joins = args.get("joins")
    others = [join.get("source", "") for join in joins or () if isinstance(join, Mapping)]
    named = [("source", args.get("source", "")), *(("joins", other) for other in others)]
    files = [(argument, parts_of(str(source))[0]) for argument, source in named]
    return Paths(needs=tuple(Need(a, file) for a, file in files if PurePosixPath(file).suffix))


def _changes(args: Mapping[str, Any]) -> Changes:
    """Return the files that a call has read."""
    return Changes(touched=tuple(need.path for need in _paths(args).needs))


def _preview(context: ToolContext, **args: Any) -> str:  # noqa: ANN401  the tool's arguments
    """Return the SQL that runs; nothing where the table cannot be read."""
    try:
        return context.run.tables.sql(_query(args), timeout_s=context.timeout_s)
    except ToolError:
        return ""


def _value(result: Result) -> dict[str, Any]:
    """Return what later steps and the audit get of a result."""
    return {
        "columns": list(result.columns),
        "rows": result.rows,
        "dates": list(result.dates),
        "sql": result.sql,
        "total_rows": result.total_rows,
        "matched_rows": result.matched_rows,
        "truncated": result.truncated,
        "read": result.read.to_json() if result.read else None,
        # rare fields only where they are set
        **({"tied": [value for value, _ in result.tied]} if result.tied else {}),
        **({"artifacts": list(map(str, result.pictures))} if result.pictures else {}),
    }


@tool(
    parameters={
        "properties": {
            "source": _SOURCE,
            "filters": {"type": "array", "items": _FILTER, "x-omit": True},
            "shift": {
                "type": "integer",
                "description": "Rows after (negative: before) each row that fits.",
                "x-omit": True,
            },
            "by": {**_COLUMN, "description": "One result for each value.", "x-omit": True},
            "part": _PART,
            "measures": {"type": "array", "items": _MEASURE, "x-omit": True},
            "order": {**_COLUMN, "description": "Column to sort by.", "x-omit": True},
            "descending": {"type": "boolean", "x-omit": True},
            "limit": {"type": "integer", "minimum": 0, "x-omit": True},
            "columns": {"type": "array", "items": _COLUMN, "x-omit": True},
            "distinct": {"type": "boolean", "x-omit": True},
            "combine": {"enum": [way for way in COMBINATIONS if way], "x-omit": True},
            "chart": {"enum": [chart for chart in CHARTS if chart], "x-omit": True},
            "joins": {"type": "array", "items": _JOIN, "x-omit": True},
            "computed": {"type": "array", "items": _COMPUTED, "x-omit": True},
            "bounds": {
                "type": "array",
                "items": _BOUND,
                "description": "Conditions on the first measure of each group.",
                "x-omit": True,
            },
            "ignore_case": {
                "type": "boolean",
                "description": "Texts that differ by case alone are the same group or value.",
                "x-omit": True,
            },
        },
        "required": ["source"],
    },
    effect=_effect,
    lint=_lint,
    preview=_preview,
    paths=_paths,
    safety="Runs no code; reads its tables in a process without network, or the database that "
    "TABLE_BACKEND names in a transaction that only reads.",
    groups=("math", "coding"),
    timeout_s=_TIMEOUT_S,
    exclusive="tables",
)
def table_query(  # noqa: PLR0913  one argument per part of a query
    context: ToolContext,
    source: str,
    *,
    filters: list[dict[str, Any]] | None = None,
    shift: int = 0,
    by: str = "",
    part: str = "",
    measures: list[dict[str, Any]] | None = None,
    order: str = "",
    descending: bool = False,
    limit: int = 0,
    columns: list[str] | None = None,
    distinct: bool = False,
    combine: str = "",
    chart: str = "",
    joins: list[dict[str, Any]] | None = None,
    computed: list[dict[str, Any]] | None = None,
    bounds: list[dict[str, Any]] | None = None,
    ignore_case: bool = False,
) -> ToolOutput:
    """Answer a question about a table (CSV, Excel, Parquet, JSON): filter, group, measure, sort."""
    query = _query(
        {
            "source": source,
            "filters": filters or [],
            "shift": shift,
            "by": by,
            "part": part,
            "measures": measures or [],
            "order": order,
            "descending": descending,
            "limit": limit,
            "columns": columns or [],
            "distinct": distinct,
            "combine": combine,
            "chart": chart,
            "joins": joins or [],
            "computed": computed or [],
            "bounds": bounds or [],
            "ignore_case": ignore_case,
        }
    )
    result = context.run.tables.run(
        query, timeout_s=context.timeout_s, cancelled=context.cancelled, tail=context.tail
    )
    return ToolOutput(
        value=_value(result),
        text=answer(query, result),
        changes=_changes({"source": source, "joins": joins}),
    )
