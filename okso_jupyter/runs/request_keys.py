"""RequestKeys: which of several runs of one request this is, for recordings to tell them apart."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class RequestKeys:
    """Counts the runs of each request.

    A cell that is run again is the same occurrence, where the front end says which cell it is.

    Attributes:
        cell: The cell that runs; empty where that is not known.
    """

    cell: str = ""
    _seen: dict[str, list[str]] = field(default_factory=dict)

    def count(self, key: str) -> int:
        """Return the number of an occurrence of what has this key, from 1."""
        seen = self._seen.setdefault(key, [])
        if self.cell and self.cell in seen:
            return seen.index(self.cell) + 1
        seen.append(self.cell)
        return len(seen)
