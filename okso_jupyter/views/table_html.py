"""A DataFrame as an HTML table: short cells on one line, long ones in a box of their own.

pandas' own HTML cuts texts after fifty characters and says nothing of it, and lets one long
text make a row as high as the page.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from okso_jupyter.views.text import escape

if TYPE_CHECKING:
    import pandas as pd

_SHOWN_ROWS: Final = 50
_SHOWN_CHARACTERS: Final = 2000
_LONG_CHARACTERS: Final = 48
_DECIMALS: Final = 3


@cache
def table_style() -> str:
    """Return the style element that tables need once."""
    return f"<style>{Path(__file__).with_name('table.css').read_text('utf-8')}</style>"


def table_html(table: pd.DataFrame) -> str:
    """Return a frame as HTML, its index left out; what is left out beyond that is said."""
    shown = table.head(_SHOWN_ROWS)
    known = shown.astype(object).where(shown.notna(), None)
    head = "".join(f"<th>{_breakable(str(name))}</th>" for name in table.columns)
    rows = "".join(
        f"<tr>{''.join(_cell(value) for value in row)}</tr>"
        for row in known.itertuples(index=False, name=None)
    )
    note = f"<p>{len(shown)} of {len(table)} rows shown</p>" if len(shown) < len(table) else ""
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"
    return f"<div class='okso-table'>{body}</div>"


def as_text(value: object) -> str:
    """Return a cell's value as text: lists of words joined, other JSON values as JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "✓" if value else "-"
    if isinstance(value, float):
        return f"{round(value, _DECIMALS):.15g}"
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return (", " if sum(map(len, value)) < _LONG_CHARACTERS else "\n").join(value)
    if isinstance(value, list | tuple | Mapping):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _cell(value: object) -> str:
    text = as_text(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<td class='okso-figure'>{escape(text)}</td>"
    if len(text) <= _LONG_CHARACTERS and "\n" not in text:
        return f"<td>{escape(text)}</td>"
    cut = ""
    if len(text) > _SHOWN_CHARACTERS:
        cut = f"… (cut, {len(text)} characters)"
    return f"<td><div class='okso-long'>{escape(text[:_SHOWN_CHARACTERS])}{cut}</div></td>"


def _breakable(name: str) -> str:
    """Return a heading that may break after an underscore."""
    return escape(name).replace("_", "_<wbr>")
