"""Short forms of JSON values and calls: one line without quotation marks and braces of JSON.

They are for tables and summaries; the full call is shown where it is decided about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NO_VALUE: Final = "none"
#: Nested deeper, a value is only named by its kind: it could be deeper than the stack.
_MOST_LEVELS: Final = 8


def short_call(tool: str, args: Mapping[str, object]) -> str:
    """Return a call, such as `table_query(sales.csv, by=region)`; the first name is left out."""
    if not args:
        return f"{tool}()"
    (_, first), *others = args.items()
    named = (f"{name}={short_value(value)}" for name, value in others)
    return f"{tool}({', '.join([short_value(first), *named])})"


def short_value(value: object, level: int = 0) -> str:
    """Return a JSON value: an object as its values, such as `region = North` for a condition.

    Args:
        value: The value.
        level: Number of lists and objects around it.
    """
    if isinstance(value, bool) or value is None:
        return _NO_VALUE if value is None else ("yes" if value else "no")
    if isinstance(value, Mapping | list | tuple) and level >= _MOST_LEVELS:
        return "…"
    if isinstance(value, Mapping):
        return " ".join(short_value(part, level + 1) for part in value.values()) or "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(short_value(part, level + 1) for part in value)}]"
    return " ".join(str(value).split())


def is_plan(value: object) -> bool:
    """Return whether a value is the steps of a plan as JSON."""
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(step, Mapping) and isinstance(step.get("tool"), str) for step in value)
    )


def calls_of(steps: list[Mapping[str, object]] | tuple[Mapping[str, object], ...]) -> str:
    """Return the steps of a plan as JSON, one short call per line."""
    return "\n".join(short_call(str(step["tool"]), _args(step)) for step in steps)


def _args(step: Mapping[str, object]) -> Mapping[str, object]:
    args = step.get("args")
    return args if isinstance(args, Mapping) else {}


def on_one_line(text: str, most: int) -> str:
    """Return a text on one line of at most `most` characters, cut with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
