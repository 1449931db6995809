"""TableSources: the tables that a request can be about, and the beginning of each."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.table_questions.joined_sample import joined_sample, with_computed
from okso_jupyter.planning.table_questions.known_samples import KnownSamples
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.cells import is_number, thousands_columns
from okso_jupyter.tables.delimited import one_byte_encoding
from okso_jupyter.tables.engine import TableEngine
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace

_MOST_BYTES: Final = 4 << 20
_HEAD_BYTES, _HEADS_BYTES = 1 << 18, 1 << 22
_MOST_ROWS: Final = 20_000
_SNIFFED: Final = 4096
#: A table has a header and a row.
_FEWEST_ROWS: Final = 2
#: One that a request does not name, or that may be something else, has two columns.
_FEWEST_COLUMNS: Final = 2
_HEAD_TIMEOUT_S: Final = 20


@dataclass(frozen=True, slots=True)
class TableSources:
    """Files of a folder and frames of a notebook.

    Attributes:
        workspace: Opens the files; None where there are none.
        engine: Reads frames, and files that are no plain text.
        frames: The columns of the notebook's frames, by variable.
    """

    workspace: Workspace | None = None
    engine: TableEngine | None = None
    frames: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _heads: dict[str, TableSample | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def database(self) -> str:
        """The source that is the table of the configured database's tables; "" without one."""
        database = self.engine.database if self.engine else None
        return database.name if database else ""

    def heads(self, files: Sequence[str]) -> list[TableSample]:
        """Return the beginnings of files in plain text that are tables, which are read once.

        They are enough to tell which of them is meant: 256 KiB of each, and 4 MiB of all. One of
        a single column, which may be any list of words, is none of them.
        """
        each_bytes = min(_HEAD_BYTES, _HEADS_BYTES // max(1, len(files)))
        for file in files:
            if file not in self._heads:
                found = head_of(self.workspace, file, each_bytes) if self.workspace else None
                self._heads[file] = found
        found_heads = (self._heads[file] for file in files)
        return [head for head in found_heads if head and len(head.columns) >= _FEWEST_COLUMNS]

    def sample(self, source: str) -> TableSample | None:
        """Return the beginning of a table; None where the source is none.

        Plain text is read here, which takes no process and reads more rows.
        """
        suffix = file_kinds.suffix_of(source)
        if source not in self.frames and suffix in file_kinds.DELIMITED:
            return head_of(self.workspace, source) if self.workspace else None
        table = self._read(source)
        if table is None or not table.columns or not table.count:
            return None
        if source in self.frames or suffix not in file_kinds.PERHAPS_TABLES:
            return table
        # one record of a JSON file is hardly a table, nor is a list in a text
        is_table = table.count >= _FEWEST_ROWS and len(table.columns) >= _FEWEST_COLUMNS
        return table if is_table else None

    def frame_samples(self) -> list[TableSample]:
        """Return the beginnings of the frames."""
        return [sample for name in self.frames if (sample := self.sample(name)) is not None]

    def sample_of(self, query: Query) -> TableSample | None:
        """Return the beginning of a query's tables as one; None where one of them is none."""
        samples = [self.sample(source) for source in query.sources]
        present = [sample for sample in samples if sample is not None]
        if len(present) < len(samples):
            return None
        try:
            table = joined_sample(present[0], list(zip(query.joins, present[1:], strict=True)))
            return with_computed(table, query.computed)
        except KeyError:  # a column that is not there
            return None

    def _read(self, source: str) -> TableSample | None:
        if self.engine is None:
            return None
        try:
            head = self.engine.head(source, timeout_s=_HEAD_TIMEOUT_S)
        except ToolError:
            return None
        names = [column.name for column in head.columns]
        commas = [place for place, column in enumerate(head.columns) if column.decimal_comma]
        return TableSample(source, names, head.rows, thousands=commas)


def head_of(workspace: Workspace, file: str, most_bytes: int = _MOST_BYTES) -> TableSample | None:
    """Return the beginning of a table in plain text; None where the file is none."""
    try:
        with workspace.open(file) as opened:
            data = opened.read(most_bytes)
    except ToolError:
        return None
    return _KNOWN.of(file, data, len(data) == most_bytes)


def _of_text(file: str, data: bytes, has_more: bool) -> TableSample | None:  # noqa: FBT001  see KnownSamples
    """Return the table that the first bytes of a file are; None if they are none."""
    text = _decoded(data, is_cut=has_more)
    if has_more:
        text = text.rpartition("\n")[0]
    is_tabbed = file_kinds.suffix_of(file) in file_kinds.TABBED
    separator = "\t" if is_tabbed else _separator(text)
    rows = _rows(text, separator)
    if len(rows) < _FEWEST_ROWS or (len(rows[0]) < _FEWEST_COLUMNS and not _is_column(rows)):
        return None
    cells = list(zip_longest(*rows[1:], fillvalue=""))
    return TableSample(file, rows[0], rows[1:], thousands=thousands_columns(cells, separator))


def _is_column(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows are a header and single values: a number is no header."""
    return not is_number(rows[0][0]) and all(len(row) == 1 for row in rows)


_KNOWN: Final = KnownSamples(_of_text)


def _decoded(data: bytes, *, is_cut: bool) -> str:
    """Return the text of a file: UTF-8 or UTF-16 by its mark, else of one byte a character."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        is_inside = is_cut and error.end >= len(data) - 3
        encoding = "utf-8-sig" if is_inside else one_byte_encoding([data])
        return data.decode(encoding, errors="replace")


def _separator(text: str) -> str:
    """Return what separates the cells of the first row."""
    first = text[:_SNIFFED].split("\n", 1)[0]
    return max(",;\t|", key=first.count)


def _rows(text: str, separator: str) -> list[list[str]]:
    """Return the header and the first rows of a table, without blank ones."""
    try:
        rows = csv.reader(text.splitlines(keepends=True), delimiter=separator)
        return list(islice(filter(any, rows), _MOST_ROWS + 1))
    except csv.Error:
        return []
