"""Frame: a DataFrame that shows what is in it, in notebooks and terminals.

pandas escapes tags, but it leaves hidden characters hidden, lets a front end read what stands
between dollar signs as mathematics, and cuts texts after fifty characters without a word.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import Final

import pandas as pd

from okso_jupyter.views.table_html import table_page
from okso_jupyter.views.table_text import table_markdown, table_text

#: Width where pandas was told nothing.
_UNSAID: Final = 80


class Frame(pd.DataFrame):
    """A DataFrame that is legible wherever it is shown.

    The data are untouched, what is selected from a Frame is one too, and to pandas it is a frame
    like any other. `display.max_rows` and `display.width` of pandas say how much is shown.
    """

    @property
    def _constructor(self) -> Callable[..., Frame]:
        return Frame

    def __repr__(self) -> str:
        return table_text(self, width=_width(), most_rows=most_rows())

    def _repr_html_(self) -> str | None:
        """Return the table as HTML, or None where pandas was told to show none."""
        if not pd.get_option("display.notebook_repr_html"):
            return None
        return table_page(self, most_rows=most_rows())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the table as text, Markdown and HTML; the hook of notebooks."""
        del include, exclude
        faces = {
            "text/plain": repr(self),
            "text/markdown": table_markdown(self, most_rows=most_rows()),
            "text/html": self._repr_html_(),
        }
        return {kind: face for kind, face in faces.items() if face is not None}


def most_rows() -> int | None:
    """Return how many rows of a table are shown: what pandas was told, None for all."""
    most: int | None = pd.get_option("display.max_rows")
    return most or None


def _width() -> int:
    """Return the width of text in columns: what pandas was told, else the terminal's."""
    said: int | None = pd.get_option("display.width")
    if said and said != _UNSAID:
        return said
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNSAID
