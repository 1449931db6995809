"""A table as text of a limited width, and as Markdown.

A table that fits is printed in columns. One that does not is transposed: a line for each column,
with as many rows side by side as fit, so that rows can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

import wcwidth

from okso_jupyter.amounts import beginning, characters_of, counted
from okso_jupyter.legible import visible
from okso_jupyter.views.markdown_text import in_markdown
from okso_jupyter.views.table_model import MOST_ROWS, TableModel, cell_text

if TYPE_CHECKING:
    import pandas as pd

_GAP: Final = "  "
#: Least width to which a column of text may be narrowed, with its cells wrapped.
_NARROW: Final = 16
#: Longer words, such as paths, may be split.
_MOST_WORD: Final = 30
#: Least column width of a transposed table with several rows side by side.
_BESIDE: Final = 16
#: Most rows shown side by side for comparison; more rows are listed one after another.
_FEW: Final = 6
_MOST_WIDTH: Final = 60
_MOST_LINES: Final = 8
#: Most characters of a cell that are processed: more cannot fit into so few lines.
_MOST_CHARS: Final = 2_000
_MARKDOWN_CHARS: Final = 300


def table_text(table: pd.DataFrame, *, width: int, most_rows: int | None = MOST_ROWS) -> str:
    """Return a table as text, with notes on what is not shown.

    Args:
        table: A DataFrame; see `TableModel.of` for its `attrs`.
        width: Columns of the terminal.
        most_rows: Most rows to show; None is all.
    """
    return sheet_text(TableModel.of(table, most_rows=most_rows), width=width)


def sheet_text(sheet: TableModel, *, width: int) -> str:
    """Return the visible part of a table as text of a width in columns of the terminal."""
    notes = [visible(note) for note in sheet.notes]
    if not sheet.rows:
        return "\n".join(notes)
    notes = [line for note in notes for line in wrap(note, width, break_long_words=False)]
    names = [visible(heading.words) for heading in sheet.headings]
    body = [
        [_cell(value, heading.unit) for value, heading in zip(row, sheet.headings, strict=True)]
        for row in sheet.rows
    ]
    figures = [heading.is_figure for heading in sheet.headings]
    rigid = [heading.is_rigid for heading in sheet.headings]
    widths = _widths([names, *body], rigid, width)
    if widths is None:
        return "\n".join([*_turned(names, body, width), *notes])
    rule = _GAP.join("-" * column for column in widths)
    rows = [line for row in body for line in _lines(row, widths, figures)]
    return "\n".join([*_lines(names, widths, figures), rule, *rows, *notes])


def table_markdown(table: pd.DataFrame, *, most_rows: int | None = MOST_ROWS) -> str:
    """Return a table as a Markdown table whose cells contain no Markdown.

    Args:
        table: A DataFrame; see `TableModel.of` for its `attrs`.
        most_rows: Most rows to show; None is all.
    """
    return sheet_markdown(TableModel.of(table, most_rows=most_rows))


def sheet_markdown(sheet: TableModel) -> str:
    """Return the visible part of a table as Markdown; its cells contain no Markdown."""
    notes = [f"({in_markdown(note)})" for note in sheet.notes]  # a bracket starts no list
    if not sheet.rows:
        return "\n\n".join(notes)
    head = [in_markdown(heading.words) for heading in sheet.headings]
    rule = ["---:" if heading.is_figure else "---" for heading in sheet.headings]
    body = [
        [
            in_markdown(beginning(cell_text(value, heading.unit), _MARKDOWN_CHARS))
            for value, heading in zip(row, sheet.headings, strict=True)
        ]
        for row in sheet.rows
    ]
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in [head, rule, *body])
    return "\n\n".join([lines, *notes])


def _cell(value: object, unit: str) -> str:
    """Return a cell's text, a very long one cut to the part that could be shown."""
    text = cell_text(value, unit)
    return visible(beginning(text, _MOST_CHARS)).expandtabs(4).rstrip("\n")


def _widths(rows: Sequence[Sequence[str]], rigid: Sequence[bool], width: int) -> list[int] | None:
    """Return the width of every column in a table that fits; None if it cannot.

    The widest column is narrowed first, but never so far that a word or a time is split.
    """
    columns = [
        [line for cell in column for line in _split(cell)] for column in zip(*rows, strict=True)
    ]
    widths = [min(_MOST_WIDTH, max(1, *map(wcwidth.width, column))) for column in columns]
    least = [
        wide if is_rigid else min(wide, max(_NARROW, _longest_word(column)))
        for wide, is_rigid, column in zip(widths, rigid, columns, strict=True)
    ]
    room = width - len(_GAP) * (len(widths) - 1)
    if sum(least) > room:
        return None
    while sum(widths) > room:
        soft = [place for place, low in enumerate(least) if widths[place] > low]
        widths[max(soft, key=widths.__getitem__)] -= 1
    return widths


def _longest_word(lines: Sequence[str]) -> int:
    """Return the width of the longest word, limited to that of words that must not be split."""
    widths = (wcwidth.width(word) for line in lines for word in line.split())
    return min(_MOST_WORD, max(widths, default=0))


def _lines(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    """Yield the lines of one row, with its cells wrapped to the widths of their columns."""
    wrapped = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*wrapped, fillvalue=""):
        aligned = (
            wcwidth.rjust(part, width) if is_right else wcwidth.ljust(part, width)
            for part, width, is_right in zip(parts, widths, right, strict=True)
        )
        yield _GAP.join(aligned).rstrip()


def _turned(names: Sequence[str], body: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield the lines of a transposed table; a few rows are side by side if they fit."""
    label = max(1, min(max(map(wcwidth.width, names)), width // 3))
    beside = max(1, (width - label) // (_BESIDE + len(_GAP))) if len(body) <= _FEW else 1
    column = max(1, (width - label) // min(beside, len(body)) - len(_GAP))
    for start in range(0, len(body), beside):
        block = body[start : start + beside]
        if start:
            yield "-" * width
        widths = [label, *[column] * len(block)]
        for name, *cells in zip(names, *block, strict=True):
            yield from _lines([name, *cells], widths, [False] * len(widths))


def _wrapped(text: str, width: int) -> list[str]:
    """Return a cell wrapped into lines; if there are too many, the last one states its length."""
    lines = [part for line in _split(text) for part in wcwidth.wrap(line, width) or [""]]
    if len(lines) <= _MOST_LINES:
        return lines
    whole = counted(characters_of(text), "character")
    return [*lines[: _MOST_LINES - 1], wcwidth.clip(f"… ({whole})", 0, width)]


def _split(text: str) -> list[str]:
    return text.split("\n")
