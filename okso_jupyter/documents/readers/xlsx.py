"""Workbooks: each sheet as a table, read row by row, so that memory use is bounded."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from io import BytesIO
from typing import Any, Final

import openpyxl

from . import Asked, Read
from .archive import opened, title_of
from .markdown import heading, table

#: Maximum cells read, empty ones included: a single distant cell makes a sheet of billions.
_MAX_CELLS: Final = 4_000_000
_MAX_COLUMNS: Final = 200
_CHUNK_BYTES: Final = 1 << 16
_SHOWN_DIGITS: Final = 15


def read_xlsx(asked: Asked) -> Read:
    """Read the values of all visible sheets; a formula is shown where no value is stored."""
    archive = opened(asked.data)
    books = [_book(asked.data, values=True)]
    if _has_formulas(archive):
        books.append(_book(asked.data, values=False))
    budget = _Budget(cells=_MAX_CELLS, chars=asked.max_chars)
    warnings: list[str] = []
    parts: list[str] = []
    for sheets in zip(*(book.worksheets for book in books), strict=True):
        name = sheets[0].title
        if sheets[0].sheet_state != "visible":
            warnings.append(f"the sheet {name!r} is hidden and was left out")
            continue
        rows = list(_rows(sheets, budget))
        text = table(_written(rows, warnings), max_chars=asked.max_chars)
        parts += [heading(name, 2), text or "(empty)"]
    if budget.is_spent:
        warnings.append("it is too large: only the first rows were read")
    pages = max(1, len(books[0].worksheets))
    return Read(
        markdown="\n\n".join(parts), title=title_of(archive), pages=pages, warnings=warnings
    )


class _Budget:
    """How much of a workbook may still be read."""

    def __init__(self, *, cells: int, chars: int) -> None:
        self._cells, self._chars = cells, chars

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self._cells < 0 or self._chars < 0

    def spend(self, *, cells: int, chars: int) -> None:
        """Charge a row; an empty one costs, too."""
        self._cells -= cells + 1
        self._chars -= chars


def _book(data: bytes, *, values: bool) -> Any:  # noqa: ANN401  the library ships no types
    return openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=values, keep_links=False)


def _has_formulas(archive: zipfile.ZipFile) -> bool:
    """Return whether any sheet has formulas."""
    for name in archive.namelist():
        if name.startswith("xl/worksheets/"):
            with archive.open(name) as file:
                if any(b"<f" in part for part in iter(lambda: file.read(_CHUNK_BYTES), b"")):
                    return True
    return False


def _rows(sheets: tuple[Any, ...], budget: _Budget) -> Iterator[list[str]]:
    """Yield the rows that are not empty, without trailing empty cells."""
    for sheet in sheets:
        # the declared size of a sheet is often wrong, and may be forged
        sheet.reset_dimensions()
    for layers in zip(*(sheet.iter_rows(values_only=True) for sheet in sheets), strict=False):
        row = [_first(cells) for cells in zip(*layers, strict=False)]
        while row and not row[-1]:
            row.pop()
        budget.spend(cells=len(layers[0]), chars=sum(map(len, row)))
        if budget.is_spent:
            return
        if row:
            yield row


def _first(cells: tuple[Any, ...]) -> str:
    """Return the first content of a cell that is not empty: its value, else its formula."""
    return next((_shown(content) for content in cells if content is not None), "")


def _shown(content: object) -> str:
    """Return a cell's content in human-readable form."""
    if isinstance(content, bool):
        return str(content).upper()
    if isinstance(content, float):
        return f"{content:.{_SHOWN_DIGITS}g}"
    if isinstance(content, datetime):
        at_midnight = content.time() == time()
        return str(content.date() if at_midnight else content.replace(microsecond=0))
    if isinstance(content, date | time):
        return content.isoformat()
    return str(content)


def _written(rows: list[list[str]], warnings: list[str]) -> Iterator[list[str]]:
    """Yield the rows with only the columns that are not empty."""
    used = sorted({column for row in rows for column, cell in enumerate(row) if cell})
    if len(used) > _MAX_COLUMNS:
        warnings.append(f"only the first {_MAX_COLUMNS} columns were read")
    columns = used[:_MAX_COLUMNS]
    for row in rows:
        yield [row[column] if column < len(row) else "" for column in columns]
