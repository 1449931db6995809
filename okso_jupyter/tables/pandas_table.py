"""Pandas table: code that reads a source and gives its columns the types that the engine gives."""

from __future__ import annotations

from typing import Final

from okso_jupyter.tables import file_kinds, pandas_functions
from okso_jupyter.tables.cells import MISSING
from okso_jupyter.tables.column_kinds import (
    ISO_FORMATS,
    SECONDS_OF_DAY,
    TableColumn,
    is_of_dates,
)
from okso_jupyter.tables.expressions import names_for
from okso_jupyter.tables.joins import joined_columns
from okso_jupyter.tables.query import ComputedColumn, Query
from okso_jupyter.tables.read_source import NoCodeError, ReadSource
from okso_jupyter.tables.sqlite_tables import select_of

#: The column of what two rows must share to stand side by side.
_KEY: Final = "join key"


def texts_code(query: Query, source: ReadSource, name: str) -> str:
    """Return the code that binds the texts of a query's columns to a name."""
    code = TableCode(query, source)
    line = f"{name} = {code.texts()}"
    return f"{code.head()}\n{line}"


class TableCode:
    """Writes the code that reads the columns of one query, and what code the rest has in common.

    Attributes:
        names: Names of the columns in the code.
        columns: The columns of the query, by name.
        defined: Source of the functions that the code defines, by name.
        imports: The import statements of the code.
    """

    def __init__(self, query: Query, source: ReadSource) -> None:
        self._query, self._source = query, source
        self.names = names_for(query, source.columns)
        self.columns = self.names.columns
        self.defined: dict[str, str] = {}
        self.imports = {"import pandas as pd"}

    def head(self) -> str:
        """Return the imports and functions of the code that was written."""
        functions = [f"\n\n{text}" for text in self.defined.values()]
        return "\n".join(["\n".join(sorted(self.imports)), *functions, ""])

    def table(self) -> list[str]:
        """Return the lines that bind `table` to the typed table."""
        missing = sorted(MISSING)
        lines = [
            *(self._joined() if self._source.parts else [f"table = {self.texts()}"]),
            "table = table.apply(lambda cells: cells.str.strip())",
            f"missing = {missing!r}",
            "table = table.mask(table.apply(lambda cells: cells.str.lower().isin(missing)))",
        ]
        for name, column in self.names.given.items():
            if column.kind != "text":
                lines.append(f"table[{self.names.value(name)!r}] = {self._values(name, column)}")
        return [*lines, *map(self._computed, self._query.computed), ""]

    def _joined(self) -> list[str]:
        """Return the lines that bind `table` to the texts of tables that are joined."""
        parts = self._source.parts
        others = list(zip(self._query.joins, (list(p.all_names) for p in parts[1:]), strict=True))
        columns = joined_columns(parts[0].all_names, others)
        lines = [f"table = {self._texts_of(parts[0])}"]
        for place, (join, part) in enumerate(zip(self._query.joins, parts[1:], strict=True), 1):
            names = {part.all_names[c.place]: c.name for c in columns if c.table == place}
            key = join.other or join.column
            lines += [
                f"other = {self._texts_of(part)}",
                f"table[{_KEY!r}] = table[{join.column!r}].str.strip().str.lower()",
                f"other[{_KEY!r}] = other[{key!r}].str.strip().str.lower()",
                f'other = other[other[{_KEY!r}].fillna("") != ""]',
                f"other = other[{[_KEY, *names]!r}].rename(columns={names!r})",
                f'table = table.merge(other, on={_KEY!r}, how="left").drop(columns={_KEY!r})',
            ]
        own = {name: self.names.text[name] for name in self.names.given}
        renamed = {name: text for name, text in own.items() if name != text}
        rename = f".rename(columns={renamed!r})" if renamed else ""
        return [*lines, f"table = table[{list(own)!r}]{rename}"]

    def _texts_of(self, part: ReadSource) -> str:
        """Return the code that reads all columns of one of several tables."""
        code = TableCode(Query(part.name), part)
        texts = code.texts()
        self.imports |= code.imports
        self.defined |= code.defined
        own = list(code.names.text.values())
        # names that differ in their case only have others in the code
        named = (
            "" if own == list(part.all_names) else f".set_axis({list(part.all_names)!r}, axis=1)"
        )
        return f"{texts}{named}"

    def _computed(self, column: ComputedColumn) -> str:
        """Return the line that computes a column; nothing is divided by zero."""
        left, right = (
            f"table[{self.names.value(operand)!r}]" if isinstance(operand, str) else repr(operand)
            for operand in (column.left, column.right)
        )
        if column.operator == "/" and isinstance(column.right, str):
            right = f"{right}.where({right} != 0)"
        made = f"{left} {column.operator} {right}"
        if is_of_dates(column, self.names.columns):
            made = f"({made}).dt.total_seconds() / {SECONDS_OF_DAY}"
        return f"table[{self.names.text[column.name]!r}] = {made}"

    def texts(self) -> str:
        """Return the code that reads the wanted columns as texts, under their own names."""
        source = self._source
        renamed = {name: own for name, own in self.names.text.items() if name != own}
        renamed = {name: own for name, own in renamed.items() if name in self.names.given}
        rename = f".rename(columns={renamed!r})" if renamed else ""
        if not source.is_typed:
            return f"pd.read_csv({source.name!r}, {self._csv_options()}){rename}"
        self.imports.add("from datetime import datetime")
        wanted = list(self.names.given)
        chosen = f"[{wanted!r}]" if 0 < len(wanted) < len(source.all_names) else ""
        as_text = '.map(text, na_action="ignore").astype("string")'
        return f"{self._typed()}{chosen}{rename}{as_text}"

    def _typed(self) -> str:
        """Return the code that reads a source whose cells have types of their own."""
        source, path = self._source, repr(self._source.name)
        suffix = "" if source.is_frame else file_kinds.suffix_of(source.name)
        if suffix in file_kinds.LOGS:
            msg = "A log has no code, because its lines have no cells"
            raise NoCodeError(msg)
        is_scanned = suffix in file_kinds.PARQUET | file_kinds.JSON
        self.defined["text"] = (
            pandas_functions.TEXT_OF_VALUE if is_scanned else pandas_functions.TEXT_OF_OBJECT
        )
        if is_scanned:
            self.imports.add("import json")
        named = f".set_axis({list(source.all_names)!r}, axis=1)"
        if suffix in file_kinds.WORKBOOKS | file_kinds.MARKDOWN:
            rows = f"pd.DataFrame({self._rows_of(suffix)}({path}))"
            return f"{rows}.iloc[1:].reset_index(drop=True){named}"
        named = named if source.renamed else ""
        if suffix in file_kinds.DATABASES:
            self.imports.add("import sqlite3")
            file, table = file_kinds.parts_of(source.name)
            return (
                f"pd.read_sql({select_of(table)!r}, sqlite3.connect({file!r}), dtype=object){named}"
            )
        if source.is_frame:
            rows = f"list({source.name}.items())" if source.is_pairs else source.name
            return f"pd.DataFrame({rows}).reset_index(drop=True){named}"
        if suffix in file_kinds.PARQUET:
            self.imports.add("import pyarrow.parquet as pq")
            return f"pq.read_table({path}).to_pandas(ignore_metadata=True){named}"
        self.imports.add("from pathlib import Path")
        self.defined["json_records"] = pandas_functions.JSON_RECORDS
        return f"pd.DataFrame(json_records({path})){named}"

    def _rows_of(self, suffix: str) -> str:
        """Return the name of the function that reads the rows of a workbook or Markdown file."""
        if suffix in file_kinds.WORKBOOKS:
            self.imports.add("import openpyxl")
            self.defined["sheet_rows"] = pandas_functions.SHEET_ROWS
            return "sheet_rows"
        self.imports.add("from pathlib import Path")
        self.defined["markdown_rows"] = pandas_functions.MARKDOWN_ROWS
        return "markdown_rows"

    def _csv_options(self) -> str:
        source = self._source
        given = {
            "sep": source.delimiter if source.delimiter != "," else "",
            "encoding": source.encoding if source.encoding != "utf-8" else "",
            "encoding_errors": "replace" if source.encoding == "cp1252" else "",
        }
        said = [f"{name}={value!r}" for name, value in given.items() if value]
        if source.renamed:
            said += [f"names={list(source.all_names)!r}", "header=0"]
        # cells beyond the last column are left out
        every = len(source.all_names)
        columns = list(self.names.given)
        wanted = columns if 0 < len(columns) < every else range(every)
        said += [f"usecols={wanted!r}", "index_col=False"]
        return ", ".join([*said, "dtype=str", "keep_default_na=False"])

    def _values(self, name: str, column: TableColumn) -> str:
        """Return the code of a column's numbers or dates."""
        return self.values_of(f"table[{self.names.text[name]!r}]", column)

    def values_of(self, cells: str, column: TableColumn) -> str:
        """Return the code of the numbers or dates of cells."""
        if column.kind == "date":
            iso = column.plain and column.date_format in ISO_FORMATS
            date_format = "ISO8601" if iso else column.date_format
            return f'pd.to_datetime({cells}, format={date_format!r}, errors="coerce")'
        if column.plain:
            return f'pd.to_numeric({cells}, errors="coerce").astype(float)'
        return self.numbers(cells, column)

    def numbers(self, cells: str, column: TableColumn) -> str:
        """Return the code of the numbers in texts that may hold more than a number."""
        self.defined["number"] = pandas_functions.NUMBER_OF_TEXT
        comma = '.str.replace(".", "").str.replace(",", ".")' if column.decimal_comma else ""
        return f"number({cells}{comma})"
