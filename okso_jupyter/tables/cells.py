"""Cells: what the texts of a table's cells mean, as numbers and dates, and the kind of a column.

The engine that runs queries uses the same patterns, so that both read a cell alike.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Final, Literal

#: "number": cells are numbers, perhaps with a currency, unit or percent sign; "mixed": most cells
#: contain a number among other characters, such as "1st" or "3 (2)".
Kind = Literal["number", "date", "mixed", "text"]

#: Cells that say nothing; compared without case.
MISSING: Final = frozenset({"", "-", "–", "—", "n/a", "na", "nan", "null", "none", "?"})  # noqa: RUF001  tables are written with dashes
#: The first number of a cell; RE2 and Python read it alike.
NUMBER: Final = r"[-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?"
#: A sign or unit after a number.
_UNIT: Final = r"(?:[%$€£]|[^\W\d]{1,6}\.?|°\w?)?"
#: A cell that is a number and at most a sign or unit before and after it.
_PURE: Final = re.compile(rf"\s*[$€£~+]?\s*({NUMBER})\s*{_UNIT}\s*")
_FIRST: Final = re.compile(NUMBER)
#: A telephone number, a postal code or the like, which is no number without its first nought.
_CODE: Final = re.compile(r"0\d{3,}")
_SHORT_TIME: Final = re.compile(r"\d:[0-5]\d(?::[0-5]\d)?")
#: A cell with points that may stand between thousands, and one that is too small to have any.
_WITH_POINTS: Final = re.compile(rf"\s*[$€£~+]?\s*[-−]?[1-9]\d{{0,2}}(?:\.\d{{3}})+\s*{_UNIT}\s*")
_SMALL: Final = re.compile(rf"\s*[$€£~+]?\s*[-−]?(?P<digits>\d{{1,3}})\s*{_UNIT}\s*")
_NO_UNIT: Final = re.compile(r"[\W\d_]")
#: A number that is not part of a name such as "S101".
_APART: Final = re.compile(rf"(?<![^\W_])(?:{NUMBER})")
#: A cell as `_PURE`, but with a decimal comma, and perhaps points between its thousands.
_WITH_COMMA: Final = re.compile(
    rf"\s*[$€£~+]?\s*[-−]?(?:\d{{1,3}}(?:\.\d{{3}})+|\d+)(?:,\d+)?\s*{_UNIT}\s*"
)
_THOUSANDS: Final = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")
#: Formats of dates, each as `datetime.strptime` reads it; the order decides between them.
DATE_FORMATS: Final = (
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S.%f",
    "%Y-%m-%dT%H:%M:%S.%f",
    "%Y-%m-%d %H:%M",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%d %B %Y",
    "%d %b %Y",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%B %Y",
    "%b %Y",
    "%Y-%m",
    "%m/%Y",
)
#: Every format has one.
_DIGIT: Final = re.compile(r"\d")
#: Years of months: "4711-01" is an article.
_FIRST_YEAR, _LAST_YEAR = 1500, 2200
#: A time of day; "3:45" is rather the duration of a song or a race.
_TIME_OF_DAY: Final = re.compile(r"\s*(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?\s*")
#: Share of the present cells that must be of a kind.
_PURE_SHARE: Final = 0.9
_MIXED_SHARE: Final = 0.6
_LEAST_OF_THREE_DIGITS: Final = 100
#: Cells that are looked at to find a column's kind.
SAMPLED: Final = 5000


def is_missing(cell: str) -> bool:
    """Return whether a cell says nothing."""
    return cell.strip().lower() in MISSING


def number_of(cell: str) -> float | None:
    """Return the first number in a cell; None if there is none."""
    found = _FIRST.search(cell)
    number = float(found[0].replace(",", "").replace("−", "-")) if found else math.nan
    return number if math.isfinite(number) else None  # 1e999 is no number that can be used


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with at most a sign or unit before and after it."""
    return _PURE.fullmatch(cell) is not None


def has_decimal_commas(cells: Iterable[str]) -> bool:
    """Return whether a column writes 1.5 as "1,5": some comma cannot be one between thousands."""
    present = [cell for cell in islice(cells, SAMPLED) if not is_missing(cell)]
    commas = [cell for cell in present if "," in cell]
    if not any(not _THOUSANDS.search(cell) for cell in commas):
        return False
    fits = sum(_WITH_COMMA.fullmatch(cell) is not None for cell in present)
    return fits >= _PURE_SHARE * len(present)


def thousands_columns(columns: Sequence[Sequence[str]], delimiter: str = "") -> frozenset[int]:
    """Return the places of the columns whose points stand between thousands.

    "1.260" says nothing of it. It is 1260 in a column with "1.234.567" or "980", and in a table
    whose other columns have decimal commas, or have such cells and are separated by semicolons.
    Beside a column with decimal points, "980" and commas say nothing.

    Args:
        columns: The cells of each column of a table that is a text.
        delimiter: What stands between two cells of a row.
    """
    firsts = [[c for c in islice(cells, SAMPLED) if not is_missing(c)] for cells in columns]
    doubtful = frozenset(p for p, cells in enumerate(firsts) if _may_have_thousands(cells))
    if not doubtful:
        return doubtful
    others = [cells for place, cells in enumerate(firsts) if place not in doubtful]
    certain = frozenset(place for place in doubtful if _has_two_points(firsts[place]))
    if any(map(_has_decimal_points, others)):
        return certain
    certain |= {place for place in doubtful if _has_hundreds_only(firsts[place])}
    is_german = any(map(has_decimal_commas, others)) or (delimiter == ";" and bool(certain))
    return doubtful if is_german else certain


def _may_have_thousands(cells: Sequence[str]) -> bool:
    """Return whether three digits stand behind each point of a column's cells."""
    pointed = sum(_WITH_POINTS.fullmatch(cell) is not None for cell in cells)
    small = sum(_SMALL.fullmatch(cell) is not None for cell in cells)
    is_all = pointed + small >= _PURE_SHARE * len(cells)
    return pointed > 0 and is_all and not _has_decimal_points(cells)


def _has_two_points(cells: Iterable[str]) -> bool:
    """Return whether some cell is a number with points between millions and thousands."""
    return any(cell.count(".") > 1 and _WITH_POINTS.fullmatch(cell) for cell in cells)


def _has_hundreds_only(cells: Iterable[str]) -> bool:
    """Return whether some cells have no point, and these have three digits or are zero."""
    small = [int(found["digits"]) for cell in cells if (found := _SMALL.fullmatch(cell))]
    hundreds = [number for number in small if number]
    return bool(hundreds) and min(hundreds) >= _LEAST_OF_THREE_DIGITS


def _has_decimal_points(cells: Iterable[str]) -> bool:
    """Return whether some cell is a number whose point cannot stand between thousands."""
    return any(
        "." in cell and is_number(cell) and not _WITH_POINTS.fullmatch(cell) for cell in cells
    )


def with_point(cell: str) -> str:
    """Return a cell of a column with decimal commas as others write it: "1.234,5" is "1234.5"."""
    return cell.replace(".", "").replace(",", ".")


def in_order(text: str) -> str:
    """Return a time of day as a text in the order of times: "9:05" is "09:05"."""
    return f"0{text}" if _SHORT_TIME.fullmatch(text) else text


def full_time(text: str) -> str:
    """Return a time of day with its seconds: "9:05" is "09:05:00"."""
    time = in_order(text.strip())
    return f"{time}:00" if len(time) == len("09:05") else time


def is_time_of_day(text: str) -> bool:
    """Return whether a text is a time of day such as "6:30" or "06:30:00"."""
    return _TIME_OF_DAY.fullmatch(in_order(text.strip())) is not None


@lru_cache(maxsize=1 << 13)  # a column repeats its days, and several formats are tried
def date_of(cell: str, date_format: str) -> datetime | None:
    """Return a cell as a date of a format; None if it is none."""
    try:
        return datetime.strptime(cell.strip(), date_format)  # noqa: DTZ007  cells name no zone
    except ValueError:
        return None


def date_format_of(cells: Iterable[str]) -> str:
    """Return the format of DATE_FORMATS that nearly all present cells have; "" for none."""
    present = [cell for cell in islice(cells, SAMPLED) if not is_missing(cell)]
    if not present or not _DIGIT.search(f"{present[0]}{present[-1]}"):
        return ""
    for date_format in DATE_FORMATS:
        if date_of(present[0], date_format) or date_of(present[-1], date_format):
            read = [date for cell in present if (date := date_of(cell, date_format))]
            if len(read) < _PURE_SHARE * len(present):
                continue
            if not is_of_months(date_format) or _are_months(read):
                return date_format
    return ""


def is_of_months(date_format: str) -> bool:
    """Return whether dates of a format are months: it has no day."""
    return bool(date_format) and "%d" not in date_format


def _are_months(read: Sequence[datetime]) -> bool:
    """Return whether what was read as months is that: 2009-10 and 2010-11 are two seasons."""
    if any(not _FIRST_YEAR <= month.year <= _LAST_YEAR for month in read):
        return False
    seasons = {month for month in read if month.month == (month.year + 1) % 100}
    return len(seasons) <= 1 or len(seasons) < len(set(read))


def kind_of(cells: Sequence[str]) -> Kind:
    """Return the kind of a column from its first cells."""
    present = [cell for cell in cells[:SAMPLED] if not is_missing(cell)]
    if not present:
        return "text"
    is_of_codes = any(_CODE.fullmatch(cell.strip()) for cell in present)
    if not is_of_codes and _are_numbers(present):
        return "number"
    if date_format_of(present):
        return "date"
    times = sum(_TIME_OF_DAY.fullmatch(cell) is not None for cell in present)
    if is_of_codes or times >= _PURE_SHARE * len(present):
        return "text"  # which is in their order; the hour alone is not
    if sum(_APART.search(cell) is not None for cell in present) >= _MIXED_SHARE * len(present):
        return "mixed"
    return "text"


def _are_numbers(present: Sequence[str]) -> bool:
    """Return whether cells are numbers; texts such as 10a and 10b, one number each, are not."""
    pure = {cell.strip() for cell in present if is_number(cell)}
    if sum(cell.strip() in pure for cell in present) < _PURE_SHARE * len(present):
        return False
    units = {(number_of(cell), _NO_UNIT.sub("", cell)) for cell in pure}
    return len({number for number, _ in units}) >= _PURE_SHARE * len(units)


def text_of(cell: object) -> str:
    """Return the text of a typed cell."""
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "seconds").removesuffix(" 00:00:00")
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def unique_names(header: Sequence[str]) -> list[str]:
    """Return the names of columns: stripped, "column 3" for a blank one, "a (2)" for a second a."""
    names: list[str] = []
    for place, written in enumerate(header, start=1):
        plain = " ".join(written.split()) or f"column {place}"
        name, count = plain, 1
        while name in names:
            count += 1
            name = f"{plain} ({count})"
        names.append(name)
    return names
