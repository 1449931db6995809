"""Rows that no row of another table refers to in a period: "clients without a job in 2024".

A query joins all rows of the other table, whatever their dates, so that this takes a few lines of
Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import PurePosixPath
from typing import Any, Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.table_questions.periods import period_filters
from okso_jupyter.planning.table_questions.related_tables import heads_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.two_tables import Unmatched, unmatched_asked
from okso_jupyter.planning.table_questions.words import MONTHS, QuestionWords
from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.delimited import UnreadableError, layout_of
from okso_jupyter.tables.query import Comparison, Filter

_LEAD: Final = (
    r"(?:(?:in|im|during|since|seit|before|vor|after|nach|until|bis|of|for|ab|from|the|dem|den|"
    r"year|jahr|jahre|month|monat)\s+)*"
)
_GERMAN_MONTHS: Final = "januar|februar|märz|mai|juni|juli|oktober|dezember"
_MONTH: Final = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?)?(?:{'|'.join(MONTHS)}|{_GERMAN_MONTHS})"
)
#: A period with the words that lead to it.
_PERIOD: Final = re.compile(
    rf"(?i)\b{_LEAD}(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|"
    rf"(?:{_MONTH}\.?,?\s+)?(?:\d{{1,2}},?\s+)?(?:19|20)\d\d\b)(?![.-]\d)|"
    rf"\b(?:in|im|during)\s+(?:{'|'.join(MONTHS)}|{_GERMAN_MONTHS})\b"
)
_THIS_YEAR: Final = re.compile(r"(?i)\b(?:in\s+)?(?:this\s+year|diese[mns]\s+jahr)\b")
_LAST_YEAR: Final = re.compile(
    r"(?i)\b(?:in\s+|im\s+)?(?:last\s+year|(?:letzte|vergangene|vorige)[mns]\s+jahr)\b"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
#: Words before a year -> how dates compare with its first day ("<", ">=") or its last one.
_LED: Final[Mapping[str, Comparison]] = {
    "since": ">=", "seit": ">=", "ab": ">=", "from": ">=", "before": "<", "vor": "<",
    "after": ">", "nach": ">", "until": "<=", "bis": "<=",
}  # fmt: skip
_DAY_FIRST: Final = re.compile(r"\s*\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}")
_ISO: Final = re.compile(r"\s*\d{4}-\d\d-\d\d")
_CODE: Final = """\
import pandas as pd

rows = pd.read_csv({asked})
others = pd.read_csv({other})
days = pd.to_datetime(others[{day!r}], dayfirst={is_day_first}, format="mixed").dt.normalize()
named = others.loc[{condition}, {reference!r}]
rows = rows[~rows[{key!r}].isin(named)]
print({shown})
"""


def unmatched_in_period(
    request: str, sources: TableSources, today: date
) -> Mapping[str, Any] | None:
    """Return the step for rows that no row of a period refers to; None for other requests.

    Args:
        request: The request.
        sources: The tables of the folder; files are read only where the words ask for it.
        today: The day, of which "this year" is.
    """
    request = _THIS_YEAR.sub(f"in {today.year}", request)
    request = _LAST_YEAR.sub(f"in {today.year - 1}", request)
    period = _PERIOD.search(request)
    if period is None:
        return None
    rest = f"{request[: period.start()]} {request[period.end() :]}"
    found = unmatched_asked(rest, lambda: heads_of(sources))
    day = _column_of_days(found.other) if found else ""
    condition = _condition(period[0], day) if day else None
    if found is None or condition is None:
        return None
    asked, other = (_read_by(table.source, sources) for table in (found.asked, found.other))
    if not asked or not other:
        return None
    what = PurePosixPath(found.asked.source).stem, PurePosixPath(found.other.source).stem
    return {
        "tool": "python_repl",
        "args": {"input": _code(found, day, condition, (asked, other))},
        "title": f"Find the {what[0]} without {what[1]} {period[0].strip()}",
    }


def _read_by(source: str, sources: TableSources) -> str:
    """Return what pandas reads a file by; "" where it is none, or has other names of columns."""
    suffix = file_kinds.suffix_of(source)
    if sources.workspace is None or suffix not in file_kinds.DELIMITED:
        return ""
    try:
        with sources.workspace.open(source) as file:
            layout = layout_of(file, tabs=suffix in file_kinds.TABBED)
    except (ToolError, UnreadableError):
        return ""
    said = f"{source!r}, sep={layout.delimiter!r}, encoding={layout.encoding!r}"
    return "" if layout.renamed else said


def _column_of_days(table: TableSample) -> str:
    """Return the only column of days of a table; "" where there are several ways to read them."""
    days = [column for column in table.columns.values() if column.kind == "date"]
    if len(days) != 1:
        return ""
    cells = [cell for cell in days[0].cells if cell]
    is_one_way = any(all(map(form.match, cells)) for form in (_ISO, _DAY_FIRST))
    return days[0].name if is_one_way else ""


def _condition(period: str, day: str) -> Filter | None:
    """Return the comparison of a column of days with a period."""
    words = QuestionWords(period)
    led = [_LED[word] for word in words.raw if word in _LED]
    if len(led) > 1:
        return None  # "since the month before May"
    named = next(period_filters(words, day), None)
    if named:
        return named[0]
    year = _YEAR.search(period)
    if year is None:
        # "in August" is of any year
        months = [MONTHS[word] for word in words.english if word in MONTHS]
        return Filter(day, "=", months[0], "month") if len(months) == 1 and not led else None
    first, last = f"{year[0]}-01-01", f"{year[0]}-12-31"
    if not led:
        return Filter(day, "between", (first, last))
    return Filter(day, led[0], last if led[0] in {">", "<="} else first)


def _code(found: Unmatched, day: str, condition: Filter, read_by: tuple[str, str]) -> str:
    value, comparison = condition.value, condition.comparison
    said = (
        f"days.between({value[0]!r}, {value[1]!r})"
        if isinstance(value, tuple)
        else f"days.dt.month == {value}"
        if condition.part == "month"
        else f"days {comparison} {value!r}"
    )
    shown = "len(rows)" if found.is_count else f"rows[[{found.naming!r}]].to_string(index=False)"
    return _CODE.format(
        asked=read_by[0],
        other=read_by[1],
        day=day,
        is_day_first=any(map(_DAY_FIRST.match, found.other[day].cells)),
        condition=said,
        reference=found.join.other or found.join.column,
        key=found.key,
        shown=shown,
    )
