"""RunInputs: the values a run takes from the notebook and the names it returns, as shown."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from okso_jupyter import assets

_KILO: Final = 1000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class InputVariable:
    """One value of the notebook, as it is shown.

    Attributes:
        name: Its variable.
        kind: Name of its type, such as "DataFrame".
        shape: Its extent, in words.
        size_bytes: Bytes of the copy that is passed.
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
class TemplateVariable:
    """One variable that the request names in double braces.

    Attributes:
        name: The variable.
        about: Kind and size in words, such as "DataFrame, 40 rows, 5 columns".
        text: The part of the value that model and user see, without secrets.
        is_beside: Whether the text stands beside the request, which then has only the name.
        is_text: Whether the value is a text and is shown in full.
    """

    name: str
    about: str
    text: str
    is_beside: bool = False
    is_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInputs:
    """Values that a run takes from the notebook, and names of variables that it returns.

    Attributes:
        inputs: The values that go into Python.
        outputs: Names of the variables that are returned.
        inserted: The values that the request names in double braces.
    """

    inputs: tuple[InputVariable, ...] = ()
    outputs: tuple[str, ...] = ()
    inserted: tuple[TemplateVariable, ...] = ()

    def prompt_text(self, most_chars: int | None = None) -> str:
        """Return the values that stand beside the request, between marks that they cannot forge.

        Args:
            most_chars: Most characters of the values; None for all.

        Returns:
            A text for a prompt; empty if the request names no such value.
        """
        beside = [value for value in self.inserted if value.is_beside]
        values = "\n\n".join(f"{v.name} is {v.about}:\n{v.text}" for v in beside)[:most_chars]
        if not values:
            return ""
        mark = hashlib.sha256(values.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return assets.prompt("values", values=values, mark=mark)

    def lines(self) -> list[tuple[str, str]]:
        """Return inputs and outputs as rows of a name and a text."""
        rows = [
            ("Variable", f"{value.name} = {value.about}:\n{value.text}")
            if value.is_beside
            else ("Variable", f"{value.name} = {value.text}")
            for value in self.inserted
        ]
        for value in self.inputs:
            columns = f": {value.column_words}" if value.columns else ""
            rows.append(("Into Python", f"{value.name} = {value.words}{columns}"))
        if self.outputs:
            rows.append(("Out of Python", f"{', '.join(self.outputs)} (set in the notebook)"))
        return rows


#: A text that a sentence can hold without quotes: a name, number, path or address.
_WORD: Final = re.compile(r"[\w.:/@%+~#=&?-]+")


def is_word(text: str) -> bool:
    """Return whether a text is a single word, without blanks and without need for quotes."""
    return _WORD.fullmatch(text) is not None
