"""A table opened in this process without the sandbox, as the child process opens it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from okso_jupyter.tables.file_kinds import parts_of
from okso_jupyter.tables.live_table import LiveTable
from okso_jupyter.tables.query import Filter, Measure, Query

SALES = """region,product,price,qty,day,score
north,pen,1.5,10,2024-01-05,1st
south,cup,2.5,4,2024-02-10,2nd
North,pen,4,1,2024-02-11,3 (2)
east,cup,n/a,7,2025-03-01,10th
south,box,20,2,2025-03-31,
,pen,100,3,,13
"""


class Opened:
    """A table with shorthands for queries over it."""

    def __init__(
        self, folder: Path, content: str | bytes, name: str = "t.csv", frame: object = None
    ) -> None:
        self.name = name
        path = folder / parts_of(name)[0]
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        scratch = folder / "scratch"
        scratch.mkdir(exist_ok=True)
        table = {"name": name} | ({"path": str(path)} if frame is None else {"frame": frame})
        request = {
            "tables": [table],
            "scratch": str(scratch),
            "memory_mb": 512,
            "disk_mb": 512,
            "threads": 2,
            "progress_s": 1.0,
        }
        self.live = LiveTable(request)
        self.head: dict[str, Any] = self.live.head()

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column."""
        return {column["name"]: column["kind"] for column in self.head["columns"]}

    def ask(self, *filters: tuple[Any, ...], **parts: Any) -> dict[str, Any]:
        """Return the whole answer; a filter is column, comparison, value, optional part."""
        made = tuple(Filter(*each) for each in filters)
        return self.live.answer(Query(self.name, filters=made, **parts).to_json())

    def rows(self, *filters: tuple[Any, ...], **parts: Any) -> list[list[Any]]:
        """Return the rows of the answer."""
        answer = self.ask(*filters, **parts)
        assert "problem" not in answer, answer
        found: list[list[Any]] = answer["rows"]
        return found

    def value(self, function: Any, column: str = "", other: str = "", *filters: Any) -> Any:
        """Return the value of one measure."""
        [[value]] = self.rows(*filters, measures=(Measure(function, column, other),))
        return value
