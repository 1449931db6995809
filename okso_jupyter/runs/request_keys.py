"""RequestKeys: numbers the runs of the same request, so that recordings can distinguish them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RequestKeys:
    """Counts the runs of each request.

    Running a cell again is the same occurrence, where the front end gives the id of the cell.

    Attributes:
        cell: The id of the cell that runs; empty where it is unknown.
    """

    cell: str = ""
    _seen: dict[str, list[str]] = field(default_factory=dict)

    def count(self, key: str) -> int:
        """Return the number of this occurrence of a request, from 1; `key` is the request's."""
        seen = self._seen.setdefault(key, [])
        if self.cell and self.cell in seen:
            return seen.index(self.cell) + 1
        seen.append(self.cell)
        return len(seen)
