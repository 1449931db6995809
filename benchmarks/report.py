"""Rows of figures, and how they are written: aligned text, CSV, Markdown. One row, one meaning."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from typing import Final

from benchmarks.figures import Spread

_COLUMNS: Final = ("what", "median", "min", "max", "unit", "ratio", "interval", "against", "aim")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured quantity.

    Attributes:
        section: Part of the benchmark.
        what: What was measured.
        value: Median, lowest and highest; None where nothing could be measured.
        unit: Unit of the value.
        ratio: Ratio to something else of the same run, with its interval.
        against: What the ratio is to.
        aim: What the ratio should be, such as "<= 1.3".
        note: Whatever makes the figure honest: tokens, validity, threads; or why there is none.
    """

    section: str
    what: str
    value: Spread | None = None
    unit: str = ""
    ratio: Spread | None = None
    against: str = ""
    aim: str = ""
    note: str = ""

    def cells(self) -> list[str]:
        """Return the texts of the row's columns, without section and note."""
        value, ratio = self.value, self.ratio
        return [
            self.what,
            *([number(value.middle), number(value.low), number(value.high)] if value else [""] * 3),
            self.unit,
            number(ratio.middle) if ratio else "",
            f"{number(ratio.low)} to {number(ratio.high)}" if ratio else "",
            self.against,
            self.aim,
        ]


def number(value: float) -> str:
    """Return a number with three significant digits, large ones in full."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004  3 digits


def as_text(rows: Iterable[Row]) -> str:
    """Return the rows as aligned columns under the title of their section; notes stand below."""
    parts = []
    for section, group in groupby(rows, key=lambda row: row.section):
        members = list(group)
        table = [_COLUMNS, *(row.cells() for row in members)]
        widths = [max(len(line[place]) for line in table) for place in range(len(_COLUMNS))]
        lines = [_aligned(line, widths) for line in table]
        notes = ["", *(f"    {row.note}" if row.note else "" for row in members)]
        body = [text for pair in zip(lines, notes, strict=True) for text in pair if text]
        parts.append("\n".join([f"== {section}", *body]))
    return "\n\n".join(parts)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line: the first column to the left, figures to the right."""
    figures = range(1, 4)
    return "  ".join(
        cell.rjust(width) if place in figures else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()


def as_csv(rows: Iterable[Row]) -> str:
    """Return the rows as CSV with the figures of the text."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["section", *_COLUMNS, "note"])
    writer.writerows([row.section, *row.cells(), row.note] for row in rows)
    return text.getvalue()


def as_markdown(rows: Iterable[Row]) -> str:
    """Return the rows as one Markdown table."""
    columns = ["section", *_COLUMNS, "note"]
    lines = [columns, ["---"] * len(columns)]
    lines += [[row.section, *row.cells(), row.note] for row in rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
