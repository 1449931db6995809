"""A table as HTML: short cells on one line, long ones folded, figures with a bar.

If a front end strips styles (GitHub does), it is a plain table with the same content: bars only
repeat their figures, and folds are HTML elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from okso_jupyter.amounts import beginning, characters_of, counted
from okso_jupyter.views.table_model import MOST_ROWS, Heading, TableModel, cell_text
from okso_jupyter.views.text import NO_MATH, escape

if TYPE_CHECKING:
    import pandas as pd

_LINE_CHARS: Final = 48
#: Longer texts may be broken between words where the page is narrow.
_WORD_CHARS: Final = 12
#: Longer texts get more of a narrow page.
_MEDIUM_CHARS: Final = 130
#: Longer names of columns may be broken.
_NAME_CHARS: Final = 20
#: Records with more columns are shown as lists where the page is narrow.
_NARROW_COLUMNS: Final = 4
#: Longer texts are folded.
_BOX_CHARS: Final = 240
_BOX_LINES: Final = 8
_SUMMARY_CHARS: Final = 48
#: Most characters of a whole table, so that the notebook stays small enough to open.
_TABLE_CHARS: Final = 2_000_000
_LEAST_CELL_CHARS: Final = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tags:
    """Opening tags of a table; those of headings and cells lack their end.

    The roles keep a table one for screen readers where the style sheet makes a list of each row.
    """

    table: str = "<table>"
    head: str = "<thead>"
    body: str = "<tbody>"
    row: str = "<tr>"
    heading: str = "<th scope='col'"
    cell: str = "<td"
    is_named: bool = False

    def cell_of(self, heading: Heading) -> str:
        """Return the tag of a cell of a column."""
        return f"{self.cell} data-name='{escape(heading.words)}'" if self.is_named else self.cell


_TAGS: Final = _Tags()
_WIDE_TAGS: Final = _Tags(
    table="<table role='table'>",
    head="<thead role='rowgroup'>",
    body="<tbody role='rowgroup'>",
    row="<tr role='row'>",
    heading="<th role='columnheader' scope='col'",
    cell="<td role='cell'",
    is_named=True,
)


def table_style() -> str:
    """Return the style element that tables need once per output."""
    return style_of("table.css")


@cache
def style_of(*sheets: str) -> str:
    """Return one style element with these style sheets of this folder."""
    texts = (Path(__file__).with_name(sheet).read_text("utf-8") for sheet in sheets)
    return f"<style>{''.join(texts)}</style>"


def table_page(table: pd.DataFrame, *, most_rows: int | None = MOST_ROWS) -> str:
    """Return a table as a separate output with its style; arguments as in `table_html`."""
    inner = table_html(table, most_rows=most_rows)
    return f"{table_style()}<div class='{NO_MATH}'>{inner}</div>"


def table_html(table: pd.DataFrame, *, most_rows: int | None = MOST_ROWS) -> str:
    """Return a table as HTML, with notes on what is not shown.

    Args:
        table: A DataFrame; see `TableModel.of` for its `attrs`.
        most_rows: Most rows to show; None is all.
    """
    return sheet_html(TableModel.of(table, most_rows=most_rows))


def sheet_html(sheet: TableModel) -> str:
    """Return the shown part of a table as HTML."""
    notes = "".join(f"<p>{escape(note)}</p>" for note in sheet.notes)
    if not sheet.rows:
        return f"<div class='okso-table'>{notes}</div>"
    is_wide = sheet.is_record and len(sheet.headings) > _NARROW_COLUMNS
    tags = _WIDE_TAGS if is_wide else _TAGS
    head = "".join(_heading(heading, tags) for heading in sheet.headings)
    most_chars = max(_LEAST_CELL_CHARS, _TABLE_CHARS // len(sheet.rows))
    rows = "".join(
        f"{tags.row}{''.join(_cells(row, sheet.headings, shares, most_chars, tags))}</tr>"
        for row, shares in zip(sheet.rows, sheet.shares(), strict=True)
    )
    body = f"{tags.table}{tags.head}{tags.row}{head}</tr></thead>{tags.body}{rows}</tbody></table>"
    return f"<div class='okso-table{' okso-wide' if is_wide else ''}'>{body}{notes}</div>"


def folded(title: str, inner: str) -> str:
    """Return HTML in a fold that scrolls horizontally.

    Args:
        title: The visible summary.
        inner: HTML; made here, never from outside.
    """
    scroll = f"<div style='overflow-x:auto'>{inner}</div>"
    return f"<details><summary>{escape(title)}</summary>{scroll}</details>"


def _heading(heading: Heading, tags: _Tags) -> str:
    """Return the head of a column: its name, breakable after an underscore if long, and its unit.

    The blank between them keeps them apart where styles are removed.
    """
    name = escape(heading.name)
    if len(heading.name) > _NAME_CHARS:
        name = name.replace("_", "_<wbr>")
    shown = escape(heading.shown_unit)
    unit = f" <span class='okso-unit'>{shown}</span>" if shown else ""
    kind = " class='okso-figure'" if heading.is_figure else ""
    return f"{tags.heading}{kind}>{name}{unit}</th>"


def _cells(
    row: Sequence[object],
    headings: Sequence[Heading],
    shares: Sequence[float | None],
    most_chars: int,
    tags: _Tags,
) -> Iterator[str]:
    """Yield the cells of one row."""
    for value, heading, share in zip(row, headings, shares, strict=True):
        text = cell_text(value, heading.unit)
        if heading.is_figure or (isinstance(value, int | float) and not isinstance(value, bool)):
            bar = _bar(share) if share else ""
            yield f"{tags.cell_of(heading)} class='okso-figure'>{escape(text)}{bar}</td>"
        else:
            kind = _kind(text, heading)
            yield f"{tags.cell_of(heading)}{kind}>{_words(beginning(text, most_chars))}</td>"


def _kind(text: str, heading: Heading) -> str:
    """Return the attribute of a cell that says how it may be broken where the page is narrow."""
    if heading.is_rigid:
        return " class='okso-rigid'"
    if len(text) <= _WORD_CHARS:
        return ""
    return f" class='{'okso-words' if ' ' in text else 'okso-name'}'"


def _bar(share: float) -> str:
    """Return a bar below a figure, with the same meaning; a negative one is hollow."""
    kind = " okso-minus" if share < 0 else ""
    return f"<div class='okso-bar{kind}' style='width:{abs(share):.1f}%' aria-hidden='true'></div>"


def _words(text: str) -> str:
    """Return a text plain, in a box, or folded below its beginning."""
    lines = text.count("\n") + 1
    if lines == 1 and len(text) <= _LINE_CHARS:
        return escape(text)
    # HTML parsers drop the first line feed in <pre>: one is added to keep that of the text
    medium = " okso-medium" if len(text) <= _MEDIUM_CHARS else ""
    box = f"<pre class='okso-long{medium}'>\n{escape(text)}</pre>"
    if lines <= _BOX_LINES and len(text) <= _BOX_CHARS:
        return box
    first = " ".join(text[:_SUMMARY_CHARS].split())
    size = counted(characters_of(text), "character")
    if lines > 1 and characters_of(text) == len(text):
        size = f"{counted(lines, 'line')}, {size}"
    return f"<details><summary>{escape(first)}… ({size})</summary>{box}</details>"
