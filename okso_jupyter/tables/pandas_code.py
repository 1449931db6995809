"""Pandas code: a query as code for a notebook's cell, which needs nothing of okso_jupyter.

It reads the same file or variable, takes cells for what the engine takes them, and gives the same
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.tables import pandas_functions
from okso_jupyter.tables.cells import in_order, is_number, is_of_months, number_of, with_point
from okso_jupyter.tables.choice import chosen_label, chosen_names
from okso_jupyter.tables.column_kinds import OF_CELLS, TableColumn, date_in
from okso_jupyter.tables.conditions import part_value
from okso_jupyter.tables.labels import (
    bin_labels,
    group_label,
    label,
)
from okso_jupyter.tables.pandas_table import TableCode
from okso_jupyter.tables.query import CHOICES, ENDS, Filter, Measure, Query
from okso_jupyter.tables.read_source import ReadSource
from okso_jupyter.tables.signs import as_number

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
    "time": '.dt.strftime("%H:%M:%S")',
    "calendar quarter": '.map(lambda day: f"{day.year}-Q{day.quarter}", na_action="ignore")',
    "calendar month": '.dt.strftime("%Y-%m")',
    "calendar week": '.dt.strftime("%G-W%V")',
    "calendar day": '.dt.strftime("%Y-%m-%d")',
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
#: Functions of a column's cells as they are written; all others are of their values.
_OF_TEXTS: Final = frozenset(
    {"count", "count distinct", "missing", "missing percent", "most common", "least common"}
)


def pandas_code(query: Query, source: ReadSource) -> str:
    """Return a query as pandas code, whose last line is the result.

    Raises:
        NoCodeError: The source is a log.
    """
    return _Writer(query, source).code()


class _Writer(TableCode):
    """Writes the code of one query: imports, functions, the table, its rows, the result."""

    def __init__(self, query: Query, source: ReadSource) -> None:
        super().__init__(query, source)
        self._query = query

    def code(self) -> str:
        """Return the whole code."""
        body = [
            *self.table(), *self._one_case(), *self._rows(), *self._result(), *self._combined(),
            *self._chart(),
        ]  # fmt: skip
        return "\n".join([self.head(), *body, "result"])

    def _one_case(self) -> list[str]:
        """Return the lines that give texts one case each where the query ignores it."""
        told_apart = self._query.told_apart if self._query.ignore_case else ()
        texts = [name for name in told_apart if self.columns[name].kind in {"text", "mixed"}]
        if texts:
            self.defined["commonest_case"] = pandas_functions.COMMONEST_CASE
        cells = [f"table[{self.names.text[name]!r}]" for name in texts]
        return [f"{each} = commonest_case({each})" for each in cells]

    # --- the rows

    def _rows(self) -> list[str]:
        query = self._query
        met = [self._condition(each) for each in query.filters if each.comparison != ENDS]
        if not met:
            lines = ["rows = table"]
        elif len(met) == 1:
            lines = [f"rows = table[{met[0]}]"]
        else:
            lines = [f"rows = table[{' & '.join(f'({each})' for each in met)}]"]
        for each in query.filters:
            if each.comparison == ENDS:
                self.defined["ends"] = pandas_functions.ENDS
                lines.append(f"rows = rows[ends(rows[{self.names.value(each.column)!r}])]")
        if query.shift:
            lines.append(
                f"rows = table[table.index.isin(rows.index + {query.shift})]".replace("+ -", "- ")
            )
        return lines

    def _condition(self, each: Filter) -> str:
        text = f"table[{self.names.text[each.column]!r}]"
        if each.comparison == "is missing":
            return f"{text}.isna()"
        if each.comparison == "is present":
            return f"{text}.notna()"
        if each.comparison.endswith("outlier"):
            return self._outlying(each)
        values = each.value if isinstance(each.value, tuple) else (each.value,)
        if each.comparison == "between":
            pair = zip((">=", "<="), values, strict=True)
            return " & ".join(f"({self._compared(each, sign, value)})" for sign, value in pair)
        if each.comparison == "in":
            return " | ".join(f"({self._compared(each, '=', value)})" for value in values)
        return self._compared(each, each.comparison, values[0])

    def _outlying(self, each: Filter) -> str:
        own = f"table[{self.names.value(each.column)!r}]"
        is_wanted = each.comparison == "is an outlier"
        if each.value != "":
            self.defined["z_scores"] = pandas_functions.Z_SCORES
            return f"z_scores({own}).abs() {'>' if is_wanted else '<='} {each.value!r}"
        self.defined["outlying"] = pandas_functions.OUTLYING
        found = f"outlying({own})"
        return found if is_wanted else f"{own}.notna() & ~{found}"

    def _compared(self, each: Filter, comparison: str, value: str | float) -> str:
        """Return the comparison of a column with one value; as the engine compares them."""
        column = self.columns[each.column]
        wanted = str(value).strip().lower()
        own = f"table[{self.names.value(each.column)!r}]"
        if comparison == "contains":
            return f"{self._lower(each.column)}.str.contains({wanted!r}, regex=False, na=False)"
        if each.part:
            part = self._part("table", each.column, each.part)
            return _compare(part, comparison, part_value(each.part, wanted))
        if column.kind == "date":
            return self._compared_date(each.column, own, comparison, wanted)
        if column.kind == "text":
            own = (
                self.numbers(own, column) if not isinstance(value, str) or _counted(wanted) else own
            )
        if not isinstance(value, str):
            return _compare(own, comparison, value)
        return self._compared_text(each.column, own, comparison, wanted)

    def _compared_text(self, name: str, own: str, comparison: str, wanted: str) -> str:
        column = self.columns[name]
        written = with_point(wanted) if column.decimal_comma else wanted
        number = number_of(written) if is_number(written) else None
        is_equality = comparison in {"=", "!="}
        if number is None or (column.kind == "text" and is_equality):
            said = wanted if is_equality else in_order(wanted)
            return _compare(self._lower(name), comparison, said)
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
        whole = '.dt.to_period("M").dt.to_timestamp()'
        whole = whole if is_of_months(date_format) else ".dt.normalize()"
        compared = f"{own}{whole} {sign} pd.Timestamp({day!r})"
        return f"({compared}) & {own}.notna()" if comparison == "!=" else compared

    def _lower(self, name: str) -> str:
        text = f"table[{self.names.text[name]!r}]"
        column = self.columns[name]
        return f"{text}.str.lower()" if not column.plain else f"{text}.astype(str).str.lower()"

    def _part(self, frame: str, name: str, part: str) -> str:
        own = f"{frame}[{self.names.value(name)!r}]"
        return f"{own}{_PARTS[part]}" if self.columns[name].kind == "date" else f"{own}.round()"

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
        self.imports.add("import numpy as np")
        name = self._query.columns[0]
        start, end = bin_labels(name)
        bins = self._query.limit or _BINS
        return [
            f"counts, ends = np.histogram(rows[{self.names.value(name)!r}].dropna(), bins={bins})",
            f"ends = {{{start!r}: ends[:-1], {end!r}: ends[1:]}}",
            "result = pd.DataFrame({**ends, 'number of rows': counts})",
            "result = result[result['number of rows'] > 0].reset_index(drop=True)",
        ]

    def _shown_rows(self) -> list[str]:
        query, names = self._query, self.names
        shown = list(query.columns or self.columns)
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
        cleaned = [name for name in shown if self._is_cleaned(self.columns[name])]
        values = [f"{names.text[n]!r}: {self._shown_values(n)}" for n in cleaned]
        assigned = f".assign(**{{{', '.join(values)}}})" if values else ""
        renamed = {own: name for own, name in zip(taken, shown, strict=True) if own != name}
        rename = f".rename(columns={renamed!r})" if renamed else ""
        return [*lines, f"result = rows{assigned}[{taken!r}]{rename}.reset_index(drop=True)"]

    def _shown_values(self, name: str) -> str:
        self.defined["shown"] = pandas_functions.SHOWN
        return f"shown(rows[{self.names.value(name)!r}], rows[{self.names.text[name]!r}])"

    def _is_cleaned(self, column: TableColumn) -> bool:
        """Return whether a column has texts, and shows values."""
        return not (column.plain or column.is_of_months) and column.kind in {"number", "date"}

    def _groups(self) -> list[str]:
        query, names = self._query, self.names
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
            column = self.columns.get(measure.column)
            if column and measure.function in OF_CELLS and self._is_cleaned(column):
                lines.append(self._valued(label(measure), column))
            if column and column.is_of_months and measure.function in {"minimum", "maximum"}:
                cells = f"result[{label(measure)!r}]"
                lines.append(f"{cells} = {cells}.dt.strftime({column.date_format!r})")
        return lines

    def _sorted_groups(self, key: str, labels: Sequence[str], order: str) -> list[str]:
        query = self._query
        lines = [
            f"result = result[{_compare(f'result[{labels[0]!r}]', each.comparison, each.value)}]"
            for each in query.bounds
        ]
        if order:
            down = ", ascending=False" if query.descending else ""
            lines.append(f"result = result.sort_values({order!r}{down}, kind='stable')")
        elif query.descending:
            lines.append("result = result[::-1]")
        if query.limit:
            lines.append(f"result = result.head({query.limit})")
        shown = [key] if query.columns else [key, *labels]
        lines.append(f"result = result[{shown!r}].reset_index(drop=True)")
        column = self.columns[query.by]
        if not query.part and self._is_cleaned(column):
            lines.append(self._valued(key, column))
        if key != (group_label(query) if query.part else query.by):
            lines.append(f"result = result.rename(columns={{{key!r}: {query.by!r}}})")
        return lines

    def _valued(self, name: str, column: TableColumn) -> str:
        """Return the code that takes the cells of a column of the result for their values."""
        self.defined["shown"] = pandas_functions.SHOWN
        cells = f'result[{name!r}].astype("string")'
        return f"result[{name!r}] = shown({self.values_of(cells, column)}, {cells})"

    def _measure(self, measure: Measure, rows: str) -> str:
        """Return the code of a measure of rows, or of groups of rows."""
        grouped = rows == "groups"
        if not measure.column:
            count = "groups.size()" if grouped else "len(rows)"
            return count if measure.function == "count" else f"100 * {count} / len(table)"
        function = measure.function
        column = self.columns[measure.column]
        own = self.names.value(measure.column)
        if function in _OF_TEXTS:
            own = self.names.text[measure.column]
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
        self.defined[function] = pandas_functions.OF_MEASURES[function]
        name = pandas_functions.OF_MEASURES[function].removeprefix("def ").partition("(")[0]
        if function == "normality":
            self.imports.add("from scipy import stats")
        return f"{cells}.agg({name})" if grouped else f"{name}({cells})"

    def _correlation(self, measure: Measure, rows: str) -> str:
        one, other = (self.names.value(name) for name in (measure.column, measure.other))
        if measure.function == "correlation p-value":
            self.imports.add("from scipy import stats")
            self.defined["correlation_p"] = pandas_functions.CORRELATION_P
            pair = f"{rows}[{[one, other]!r}]"
            return f"correlation_p({pair})" if rows == "rows" else f"{pair}.apply(correlation_p)"
        how = ', method="spearman"' if measure.function == "rank correlation" else ""
        if rows == "rows":
            return f"rows[{one!r}].corr(rows[{other!r}]{how})"
        pair = f"lambda pair: pair[{one!r}].corr(pair[{other!r}]{how})"
        return f"groups[{[one, other]!r}].apply({pair})"

    def _combined(self) -> list[str]:
        query = self._query
        if not query.combine:
            return []
        if query.combine in CHOICES:
            return self._chosen()
        name = label(query.measures[0]) if query.measures else query.columns[0]
        last = label(query.measures[-1]) if query.measures else query.columns[0]
        cells = f"result[{name!r}]"
        column = None if query.measures else self.columns[name]
        if column is not None and column.kind in {"mixed", "text"}:
            cells = self.numbers(cells, column)
        elif column is not None and column.is_of_months:
            cells = self.values_of(cells, column)
        is_date = column is not None and column.kind == "date"
        lines = [f"first, second = {cells}"]
        if query.combine == "ratio":
            value = "first / second"
        else:
            value = "abs(first - second)" + (" / pd.Timedelta(days=1)" if is_date else "")
        return [*lines, f"result = pd.DataFrame({{{f'{query.combine} of {last}'!r}: [{value}]}})"]

    def _chosen(self) -> list[str]:
        query = self._query
        sorting = {"largest": "values.idxmax()", "smallest": "values.idxmin()"}
        which = sorting.get(query.combine, "values.abs().idxmax()")
        names, result = chosen_names(query.measures), chosen_label(query)
        lines = [f"values = pd.Series(result.iloc[0].tolist(), index={names!r})"]
        one = f"{{'column': [{which}], {result!r}: [values[{which}]]}}"
        return [*lines, f"result = pd.DataFrame({one})"]

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
        if query.chart == "pie":
            self.defined["slices"] = pandas_functions.SLICES
            shown = label(query.measures[0]) if query.measures else query.columns[1]
            return [f"slices(result.set_index({across!r})[{shown!r}]).plot.pie()"]
        return [f"result.plot.{query.chart}(x={across!r})"]


def _compare(cells: str, comparison: str, value: str | float) -> str:
    """Return the comparison of cells; a missing one is different from nothing."""
    wanted = value if isinstance(value, str) else as_number(value)
    compared = f"{cells} {_OPERATORS[comparison]} {wanted!r}"
    return f"({compared}) & {cells}.notna()" if comparison == "!=" else compared


def _counted(wanted: str) -> bool:
    """Return whether a text is a number."""
    return is_number(wanted) and number_of(wanted) is not None
