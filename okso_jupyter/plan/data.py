"""What goes from the notebook into the Python sandbox and back: the part that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_KILO: Final = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedIn:
    """One value of the notebook, as a person sees it.

    Attributes:
        name: Its variable.
        kind: Name of its type, such as "DataFrame".
        shape: How much it is, in words.
        size_bytes: Bytes of the copy that goes.
        sha256: Hash of that copy, as 64 hexadecimal digits.
        columns: Name and dtype of each column of a table.
    """

    name: str
    kind: str
    shape: str
    size_bytes: int
    sha256: str
    columns: tuple[tuple[str, str], ...] = ()

    @property
    def words(self) -> str:
        """Kind, shape and size, such as "DataFrame, 3 rows, 2 columns, 0.4 kB"."""
        size = f"{self.size_bytes / _KILO:.1f} kB"
        return ", ".join(part for part in (self.kind, self.shape, size) if part)

    @property
    def column_words(self) -> str:
        """Columns with their dtypes, such as "price (float64), region (str)"."""
        return ", ".join(f"{name} ({dtype})" for name, dtype in self.columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Data:
    """What a run gets from the notebook and gives back to it.

    Attributes:
        inputs: The values that go in.
        outputs: Names of the variables that come back.
    """

    inputs: tuple[HandedIn, ...] = ()
    outputs: tuple[str, ...] = ()

    def lines(self) -> list[tuple[str, str]]:
        """Return what goes in and what comes back as rows of a name and words."""
        rows = []
        for value in self.inputs:
            columns = f": {value.column_words}" if value.columns else ""
            rows.append(("Into Python", f"{value.name} = {value.words}{columns}"))
        if self.outputs:
            rows.append(("Out of Python", f"{', '.join(self.outputs)} (set in the notebook)"))
        return rows
