"""Pandas code: a query as code for a notebook's cell, which needs nothing of okso_jupyter.

It reads the same file or variable, takes cells for what the engine takes them, and gives the same
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.cells import MISSING, NUMBER, is_number, number_of, with_point
from okso_jupyter.tables.column_kinds import ISO_FORMATS, OF_CELLS, TableColumn, date_in
from okso_jupyter.tables.conditions import part_number
from okso_jupyter.tables.expressions import names_for
from okso_jupyter.tables.labels import bin_labels, group_label, label
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.tables.read_source import ReadSource

_OPERATORS: Final = {"=": "==", **{sign: sign for sign in ("!=", "<", "<=", ">", ">=")}}
_YEAR_DIGITS: Final = 4
_BINS: Final = 10
_PARTS: Final = {
    "year": ".dt.year",
    "quarter": ".dt.quarter",
    "month": ".dt.month",
    "weekday": ".dt.day_of_week + 1",
    "day": ".dt.day",
    "hour": ".dt.hour",
}
#: Methods that a column and the groups of one have.
_METHODS: Final[Mapping[str, str]] = {
    "sum": "sum(min_count=1)",
    "mean": "mean()",
    "median": "median()",
    "minimum": "min()",
    "maximum": "max()",
    "standard deviation": "std()",
    "population standard deviation": "std(ddof=0)",
    "variance": "var()",
    "skewness": "skew()",
    "quartile 1": "quantile(0.25)",
    "quartile 3": "quantile(0.75)",
    "count": "count()",
    "count distinct": "nunique()",
}
#: Functions that the code defines, by the function of a query.
_DEFINED: Final[Mapping[str, str]] = {
    "missing": """\
def missing_cells(cells):
    return cells.isna().sum()
""",
    "missing percent": """\
def missing_percent(cells):
    return 100 * cells.isna().mean()
""",
    "most common": """\
def most_common(cells):
    counts = cells.groupby(cells, sort=False).size()
    return counts.idxmax() if len(counts) else None
""",
    "least common": """\
def least_common(cells):
    counts = cells.groupby(cells, sort=False).size()
    return counts.idxmin() if len(counts) else None
""",
    "outliers": """\
def outliers(values):
    if not values.count():
        return float("nan")
    low, high = values.quantile(0.25), values.quantile(0.75)
    margin = 1.5 * (high - low)
    return ((values < low - margin) | (values > high + margin)).sum()
""",
    "normality": """\
def normality(values):
    values = values.dropna()
    if len(values) < 3 or values.nunique() == 1:
        return float("nan")
    return stats.shapiro(values).pvalue
""",
}
#: The values of cells; as it is written what has none.
_SHOWN: Final = """\
def shown(values, cells):
    unread = values.isna() & cells.notna()
    return values.astype(object).mask(unread, cells) if unread.any() else values
"""
#: Functions of a column's cells as they are written; all others are of their values.
_OF_TEXTS: Final = frozenset(
    {"count", "count distinct", "missing", "missing percent", "most common", "least common"}
)
_NUMBER_FUNCTION: Final = (
    "def number(cells):\n"
    '    """The first number in each cell."""\n'
    f'    found = cells.str.extract(r"({NUMBER})")[0]\n'
    '    return pd.to_numeric(found.str.replace(",", "").str.replace("−", "-"), errors="coerce")\n'
)


_TEXT: Final = """\
def text(cell):
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "seconds").removesuffix(" 00:00:00")
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
"""
#: How cells of a variable or a workbook are written, and how those of other files.
_TEXT_OF_OBJECTS: Final = f"{_TEXT}    return str(cell)\n"
_TEXT_OF_VALUES: Final = f"""\
{_TEXT}\
    if isinstance(cell, (bool, dict, list)):
        return json.dumps(cell, ensure_ascii=False, separators=(",", ":"))
    return str(cell)
"""
_JSON_RECORDS: Final = """\
def json_records(path):
    content = Path(path).read_text(encoding="utf-8")
    try:
        data = json.loads(content)
    except ValueError:
        data = [json.loads(line) for line in content.splitlines() if line.strip()]
    return data if isinstance(data, list) else [data]
"""
_SHEET_ROWS: Final = """\
def sheet_rows(path):
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    sheet = next(each for each in book.worksheets if each.sheet_state == "visible")
    return [row for row in sheet.iter_rows(values_only=True) if set(row) - {None, ""}]
"""
_MARKDOWN_ROWS: Final = """\
def markdown_rows(path):
    rows = []
    for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
        if line.lstrip().startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
        elif rows:
            break
    return [row for row in rows if not all(cell and set(cell) <= set(":- ") for cell in row)]
"""


def pandas_code(query: Query, source: ReadSource) -> str:
    """Return a query as pandas code, whose last line is the result."""
    return _Writer(query, source).code()


def texts_code(query: Query, source: ReadSource, name: str) -> str:
    """Return the code that binds the texts of a query's columns to a name."""
    writer = _Writer(query, source)
    line = f"{name} = {writer.texts()}"
    return f"{writer.head()}\n{line}"


class _Writer:
    """Writes the code of one query: imports, functions, the table, its rows, the result."""

    def __init__(self, query: Query, source: ReadSource) -> None:
        self._query, self._source = query, source
        self._names = names_for(query, source.columns)
        self._columns = self._names.columns
        self._defined: dict[str, str] = {}
        self._imports = {"import pandas as pd"}

    def code(self) -> str:
        """Return the whole code."""
        body = [*self._table(), *self._rows(), *self._result(), *self._combined(), *self._chart()]
        return "\n".join([self.head(), *body, "result"])

    def head(self) -> str:
        """Return the imports and functions of the code that was written."""
        functions = [f"\n\n{text}" for text in self._defined.values()]
        return "\n".join(["\n".join(sorted(self._imports)), *functions, ""])

    # --- the table

    def _table(self) -> list[str]:
        missing = sorted(MISSING)
        lines = [
            f"table = {self.texts()}",
            "table = table.apply(lambda cells: cells.str.strip())",
            f"missing = {missing!r}",
            "table = table.mask(table.apply(lambda cells: cells.str.lower().isin(missing)))",
        ]
        for name, column in self._columns.items():
            if column.kind != "text":
                lines.append(f"table[{self._names.value(name)!r}] = {self._values(name, column)}")
        return [*lines, ""]

    def texts(self) -> str:
        """Return the code that reads the wanted columns as texts, under their own names."""
        source = self._source
        renamed = {name: own for name, own in self._names.text.items() if name != own}
        renamed = {name: own for name, own in renamed.items() if name in self._columns}
        rename = f".rename(columns={renamed!r})" if renamed else ""
        if not source.is_typed:
            return f"pd.read_csv({source.name!r}, {self._csv_options()}){rename}"
        self._imports.add("from datetime import datetime")
        wanted = list(self._columns)
        chosen = f"[{wanted!r}]" if 0 < len(wanted) < len(source.all_names) else ""
        as_text = '.map(text, na_action="ignore").astype("string")'
        return f"{self._typed()}{chosen}{rename}{as_text}"

    def _typed(self) -> str:
        """Return the code that reads a source whose cells have types of their own."""
        source, path = self._source, repr(self._source.name)
        suffix = "" if source.is_frame else PurePosixPath(source.name).suffix.lower()
        is_scanned = suffix in file_kinds.PARQUET | file_kinds.JSON
        self._defined["text"] = _TEXT_OF_VALUES if is_scanned else _TEXT_OF_OBJECTS
        if is_scanned:
            self._imports.add("import json")
        named = f".set_axis({list(source.all_names)!r}, axis=1)"
        if suffix in file_kinds.WORKBOOKS | file_kinds.MARKDOWN:
            rows = f"pd.DataFrame({self._rows_of(suffix)}({path}))"
            return f"{rows}.iloc[1:].reset_index(drop=True){named}"
        named = named if source.renamed else ""
        if source.is_frame:
            return f"pd.DataFrame({source.name}).reset_index(drop=True){named}"
        if suffix in file_kinds.PARQUET:
            self._imports.add("import pyarrow.parquet as pq")
            return f"pq.read_table({path}).to_pandas(ignore_metadata=True){named}"
        self._imports.add("from pathlib import Path")
        self._defined["json_records"] = _JSON_RECORDS
        return f"pd.DataFrame(json_records({path})){named}"

    def _rows_of(self, suffix: str) -> str:
        """Return the name of the function that reads the rows of a workbook or Markdown file."""
        if suffix in file_kinds.WORKBOOKS:
            self._imports.add("import openpyxl")
            self._defined["sheet_rows"] = _SHEET_ROWS
            return "sheet_rows"
        self._imports.add("from pathlib import Path")
        self._defined["markdown_rows"] = _MARKDOWN_ROWS
        return "markdown_rows"

    def _csv_options(self) -> str:
        source = self._source
        given = {
            "sep": source.delimiter if source.delimiter != "," else "",
            "encoding": source.encoding if source.encoding != "utf-8" else "",
        }
        said = [f"{name}={value!r}" for name, value in given.items() if value]
        if source.renamed:
            said += [f"names={list(source.all_names)!r}", "header=0"]
        # cells beyond the last column are left out
        every = len(source.all_names)
        wanted = list(self._columns) if 0 < len(self._columns) < every else range(every)
        said += [f"usecols={wanted!r}", "index_col=False"]
        return ", ".join([*said, "dtype=str", "keep_default_na=False"])

    def _values(self, name: str, column: TableColumn) -> str:
        """Return the code of a column's numbers or dates."""
        return self._values_of(f"table[{self._names.text[name]!r}]", column)

    def _values_of(self, cells: str, column: TableColumn) -> str:
        if column.kind == "date":
            iso = column.plain and column.date_format in ISO_FORMATS
            date_format = "ISO8601" if iso else column.date_format
            return f'pd.to_datetime({cells}, format={date_format!r}, errors="coerce")'
        if column.plain:
            return f'pd.to_numeric({cells}, errors="coerce").astype(float)'
        return self._number(cells, column)

    def _number(self, cells: str, column: TableColumn) -> str:
        self._defined["number"] = _NUMBER_FUNCTION
        comma = '.str.replace(".", "").str.replace(",", ".")' if column.decimal_comma else ""
        return f"number({cells}{comma})"

    # --- its rows

    def _rows(self) -> list[str]:
        query = self._query
        met = [self._condition(each) for each in query.filters]
        if not met:
            lines = ["rows = table"]
        elif len(met) == 1:
            lines = [f"rows = table[{met[0]}]"]
        else:
            lines = [f"rows = table[{' & '.join(f'({each})' for each in met)}]"]
        if query.shift:
            lines.append(
                f"rows = table[table.index.isin(rows.index + {query.shift})]".replace("+ -", "- ")
            )
        return lines

    def _condition(self, each: Filter) -> str:
        text = f"table[{self._names.text[each.column]!r}]"
        if each.comparison == "is missing":
            return f"{text}.isna()"
        if each.comparison == "is present":
            return f"{text}.notna()"
        values = each.value if isinstance(each.value, tuple) else (each.value,)
        if each.comparison == "between":
            pair = zip((">=", "<="), values, strict=True)
            return " & ".join(f"({self._compared(each, sign, value)})" for sign, value in pair)
        if each.comparison == "in":
            return " | ".join(f"({self._compared(each, '=', value)})" for value in values)
        return self._compared(each, each.comparison, values[0])

    def _compared(self, each: Filter, comparison: str, value: str | float) -> str:
        """Return the comparison of a column with one value; as the engine compares them."""
        column = self._columns[each.column]
        wanted = str(value).strip().lower()
        own = f"table[{self._names.value(each.column)!r}]"
        if comparison == "contains":
            return f"{self._lower(each.column)}.str.contains({wanted!r}, regex=False, na=False)"
        if each.part:
            return _compare(
                self._part("table", each.column, each.part), comparison, part_number(wanted)
            )
        if column.kind == "date":
            return self._compared_date(each.column, own, comparison, wanted)
        if column.kind == "text":
            own = (
                self._number(own, column) if not isinstance(value, str) or _counted(wanted) else own
            )
        if not isinstance(value, str):
            return _compare(own, comparison, value)
        return self._compared_text(each.column, own, comparison, wanted)

    def _compared_text(self, name: str, own: str, comparison: str, wanted: str) -> str:
        column = self._columns[name]
        written = with_point(wanted) if column.decimal_comma else wanted
        number = number_of(written) if is_number(written) else None
        is_equality = comparison in {"=", "!="}
        if number is None or (column.kind == "text" and is_equality):
            return _compare(self._lower(name), comparison, wanted)
        if column.kind == "mixed" and is_equality:
            text = self._lower(name)
            known = f"({text} == {wanted!r}).any()"
            whole = _compare(text, comparison, wanted)
            return f"({whole}) if {known} else ({_compare(own, comparison, number)})"
        return _compare(own, comparison, number)

    def _compared_date(self, name: str, own: str, comparison: str, wanted: str) -> str:
        if len(wanted) == _YEAR_DIGITS and wanted.isdigit():
            return _compare(f"{own}.dt.year", comparison, int(wanted))
        found = date_in(wanted)
        if found is None:
            return _compare(self._lower(name), comparison, wanted)
        iso, date_format = found
        if "%H" in date_format:
            return f"{own} {_OPERATORS[comparison]} pd.Timestamp({iso!r})"
        day = iso.removesuffix(" 00:00:00")
        sign = _OPERATORS[comparison]
        compared = f"{own}.dt.normalize() {sign} pd.Timestamp({day!r})"
        return f"({compared}) & {own}.notna()" if comparison == "!=" else compared

    def _lower(self, name: str) -> str:
        text = f"table[{self._names.text[name]!r}]"
        column = self._columns[name]
        return f"{text}.str.lower()" if not column.plain else f"{text}.astype(str).str.lower()"

    def _part(self, frame: str, name: str, part: str) -> str:
        own = f"{frame}[{self._names.value(name)!r}]"
        return f"{own}{_PARTS[part]}" if self._columns[name].kind == "date" else f"{own}.round()"

    # --- the result

    def _result(self) -> list[str]:
        query = self._query
        if query.chart == "histogram":
            return self._binned()
        if query.by:
            return self._groups()
        if query.measures:
            cells = [f"{label(m)!r}: [{self._measure(m, 'rows')}]" for m in query.measures]
            return [f"result = pd.DataFrame({{{', '.join(cells)}}})", *self._cell_values()]
        return self._shown_rows()

    def _binned(self) -> list[str]:
        self._imports.add("import numpy as np")
        name = self._query.columns[0]
        start, end = bin_labels(name)
        bins = self._query.limit or _BINS
        return [
            f"counts, ends = np.histogram(rows[{self._names.value(name)!r}].dropna(), bins={bins})",
            f"ends = {{{start!r}: ends[:-1], {end!r}: ends[1:]}}",
            "result = pd.DataFrame({**ends, 'number of rows': counts})",
            "result = result[result['number of rows'] > 0].reset_index(drop=True)",
        ]

    def _shown_rows(self) -> list[str]:
        query, names = self._query, self._names
        shown = list(query.columns or self._columns)
        lines = []
        if query.distinct:
            lines.append(f"rows = rows.drop_duplicates({[names.text[name] for name in shown]!r})")
        if query.order:
            value = names.value(query.order)
            down = ", ascending=False" if query.descending else ""
            lines += [
                f"rows = rows.dropna(subset=[{value!r}])",
                f"rows = rows.sort_values({value!r}{down}, kind='stable')",
            ]
        elif query.descending:
            lines.append("rows = rows[::-1]")
        if query.limit:
            lines.append(f"rows = rows.head({query.limit})")
        taken = [names.text[name] for name in shown]
        cleaned = [name for name in shown if self._is_cleaned(self._columns[name])]
        values = [f"{names.text[n]!r}: {self._shown_values(n)}" for n in cleaned]
        assigned = f".assign(**{{{', '.join(values)}}})" if values else ""
        renamed = {own: name for own, name in zip(taken, shown, strict=True) if own != name}
        rename = f".rename(columns={renamed!r})" if renamed else ""
        return [*lines, f"result = rows{assigned}[{taken!r}]{rename}.reset_index(drop=True)"]

    def _shown_values(self, name: str) -> str:
        self._defined["shown"] = _SHOWN
        return f"shown(rows[{self._names.value(name)!r}], rows[{self._names.text[name]!r}])"

    def _is_cleaned(self, column: TableColumn) -> bool:
        """Return whether a column has texts, and shows values."""
        return not column.plain and column.kind in {"number", "date"}

    def _groups(self) -> list[str]:
        query, names = self._query, self._names
        key = group_label(query) if query.part else names.text[query.by]
        lines = []
        if query.part:
            lines.append(
                f"rows = rows.assign(**{{{key!r}: {self._part('rows', query.by, query.part)}}})"
            )
        lines.append(f"groups = rows.groupby({key!r}, sort=False)")
        labels = [label(measure) for measure in query.measures]
        cells = [
            f"{name!r}: {self._measure(measure, 'groups')}"
            for name, measure in zip(labels, query.measures, strict=True)
        ]
        order = labels[0] if labels else ""
        if (
            query.order
            and (query.order != query.by or names.value(query.by) != key)
            and not (query.part and query.order == query.by)
        ):
            order = "order"
            cells.append(f"'order': groups[{names.value(query.order)!r}].min()")
        elif query.order:
            order = key
        if cells:
            lines.append(f"result = pd.DataFrame({{{', '.join(cells)}}}).reset_index()")
        else:
            lines.append(
                f"result = rows[[{key!r}]].dropna().drop_duplicates().reset_index(drop=True)"
            )
        return [*lines, *self._sorted_groups(key, labels, order), *self._cell_values()]

    def _cell_values(self) -> list[str]:
        """Return the code that takes measures which are cells for the values of these."""
        lines = []
        for measure in () if self._query.columns else self._query.measures:
            column = self._columns.get(measure.column)
            if column and measure.function in OF_CELLS and self._is_cleaned(column):
                lines.append(self._valued(label(measure), column))
        return lines

    def _sorted_groups(self, key: str, labels: Sequence[str], order: str) -> list[str]:
        query = self._query
        lines = []
        if order:
            down = ", ascending=False" if query.descending else ""
            lines.append(f"result = result.sort_values({order!r}{down}, kind='stable')")
        elif query.descending:
            lines.append("result = result[::-1]")
        if query.limit:
            lines.append(f"result = result.head({query.limit})")
        shown = [key] if query.columns else [key, *labels]
        lines.append(f"result = result[{shown!r}].reset_index(drop=True)")
        column = self._columns[query.by]
        if not query.part and self._is_cleaned(column):
            lines.append(self._valued(key, column))
        if key != (group_label(query) if query.part else query.by):
            lines.append(f"result = result.rename(columns={{{key!r}: {query.by!r}}})")
        return lines

    def _valued(self, name: str, column: TableColumn) -> str:
        """Return the code that takes the cells of a column of the result for their values."""
        self._defined["shown"] = _SHOWN
        cells = f'result[{name!r}].astype("string")'
        return f"result[{name!r}] = shown({self._values_of(cells, column)}, {cells})"

    def _measure(self, measure: Measure, rows: str) -> str:
        """Return the code of a measure of rows, or of groups of rows."""
        grouped = rows == "groups"
        if not measure.column:
            count = "groups.size()" if grouped else "len(rows)"
            return count if measure.function == "count" else f"100 * {count} / len(table)"
        function = measure.function
        column = self._columns[measure.column]
        own = self._names.value(measure.column)
        if function in _OF_TEXTS:
            own = self._names.text[measure.column]
        cells = f"{rows}[{own!r}]"
        if measure.other:
            return self._correlation(measure, rows)
        if function == "share percent":
            return f"100 * {cells}.sum(min_count=1) / table[{own!r}].sum()"
        if function == "range":
            days = " / pd.Timedelta(days=1)" if column.kind == "date" else ""
            span = f"{cells}.max() - {cells}.min()"
            return f"({span}){days}" if days else span
        if function in _METHODS:
            return f"{cells}.{_METHODS[function]}"
        self._defined[function] = _DEFINED[function]
        name = _DEFINED[function].removeprefix("def ").partition("(")[0]
        if function == "normality":
            self._imports.add("from scipy import stats")
        return f"{cells}.agg({name})" if grouped else f"{name}({cells})"

    def _correlation(self, measure: Measure, rows: str) -> str:
        one, other = (self._names.value(name) for name in (measure.column, measure.other))
        how = ', method="spearman"' if measure.function == "rank correlation" else ""
        if rows == "rows":
            return f"rows[{one!r}].corr(rows[{other!r}]{how})"
        pair = f"lambda pair: pair[{one!r}].corr(pair[{other!r}]{how})"
        return f"groups[{[one, other]!r}].apply({pair})"

    def _combined(self) -> list[str]:
        query = self._query
        if not query.combine:
            return []
        name = label(query.measures[0]) if query.measures else query.columns[0]
        last = label(query.measures[-1]) if query.measures else query.columns[0]
        cells = f"result[{name!r}]"
        column = None if query.measures else self._columns[name]
        if column is not None and column.kind in {"mixed", "text"}:
            cells = self._number(cells, column)
        is_date = column is not None and column.kind == "date"
        lines = [f"first, second = {cells}"]
        if query.combine == "ratio":
            value = "first / second"
        else:
            value = "abs(first - second)" + (" / pd.Timedelta(days=1)" if is_date else "")
        return [*lines, f"result = pd.DataFrame({{{f'{query.combine} of {last}'!r}: [{value}]}})"]

    def _chart(self) -> list[str]:
        query = self._query
        if not query.chart:
            return []
        if query.chart == "scatter":
            across, up = query.columns
            return [f"result.plot.scatter(x={across!r}, y={up!r})"]
        if query.chart == "histogram":
            start, _ = bin_labels(query.columns[0])
            return [f"result.plot.bar(x={start!r}, y='number of rows')"]
        across = group_label(query) if query.by else query.columns[0]
        return [f"result.plot.{query.chart}(x={across!r})"]


def _compare(cells: str, comparison: str, value: str | float) -> str:
    """Return the comparison of cells; a missing one is different from nothing."""
    compared = f"{cells} {_OPERATORS[comparison]} {value!r}"
    return f"({compared}) & {cells}.notna()" if comparison == "!=" else compared


def _counted(wanted: str) -> bool:
    """Return whether a text is a number."""
    return is_number(wanted) and number_of(wanted) is not None
