"""ReadSource: how the source of a query was read, as far as code that reads it again needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.column_kinds import TableColumn


class NoCodeError(Exception):
    """There is no code for a query; the message says why, as a sentence without its stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSource:
    """A source as it was read.

    Attributes:
        name: The file, or the variable.
        columns: The columns that the query has.
        all_names: The names of all its columns.
        is_frame: Whether it is a variable of the notebook.
        parts: Of tables that are joined, how each of them was read; () for one alone.
        encoding: Encoding of delimited text, as Python calls it; "" for other files.
        delimiter: What stands between its cells; "" for other files.
        renamed: Whether a name differs from what the file's header says.
        is_pairs: Whether it is a variable that is a dict, whose keys and values are its columns.
    """

    name: str
    columns: tuple[TableColumn, ...]
    all_names: tuple[str, ...]
    is_frame: bool = False
    encoding: str = ""
    delimiter: str = ""
    renamed: bool = False
    is_pairs: bool = False
    parts: tuple[ReadSource, ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether its cells have types of their own; the others are texts."""
        return self.is_frame or file_kinds.suffix_of(self.name) not in file_kinds.DELIMITED

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "name": self.name,
            "columns": [column.to_json() for column in self.columns],
            "all_names": list(self.all_names),
            "is_frame": self.is_frame,
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "renamed": self.renamed,
            # only of what is read so
            **({"is_pairs": True} if self.is_pairs else {}),
            **({"parts": [part.to_json() for part in self.parts]} if self.parts else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReadSource:
        """Return it from JSON data."""
        columns = tuple(TableColumn(**column) for column in data["columns"])
        parts = tuple(map(cls.from_json, data.get("parts", ())))
        names = tuple(data["all_names"])
        return cls(**{**data, "columns": columns, "all_names": names, "parts": parts})
