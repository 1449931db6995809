"""Frame: a DataFrame that displays its contents legibly in notebooks and terminals.

pandas escapes tags, but it does not reveal hidden characters, lets a front end render text between
dollar signs as mathematics, and cuts texts after fifty characters without saying so.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from typing import Final

import pandas as pd

from okso_jupyter.views.table_html import table_page
from okso_jupyter.views.table_text import table_markdown, table_text

#: Default of `display.width`, which is also used if the terminal's width is unknown.
_UNSAID: Final = 80


class Frame(pd.DataFrame):
    """A DataFrame that is displayed legibly.

    The data are unchanged, a selection from a Frame is a Frame, and pandas treats it as any other
    DataFrame. The pandas options `display.max_rows` and `display.width` limit what is shown.
    """

    @property
    def _constructor(self) -> Callable[..., Frame]:
        return Frame

    def __repr__(self) -> str:
        return table_text(self, width=_width(), most_rows=most_rows())

    def _repr_html_(self) -> str | None:
        """Return the table as HTML, or None if pandas is configured not to show HTML."""
        if not pd.get_option("display.notebook_repr_html"):
            return None
        return table_page(self, most_rows=most_rows())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the table as text, Markdown and HTML; called by notebooks."""
        del include, exclude
        faces = {
            "text/plain": repr(self),
            "text/markdown": table_markdown(self, most_rows=most_rows()),
            "text/html": self._repr_html_(),
        }
        return {kind: face for kind, face in faces.items() if face is not None}


def most_rows() -> int | None:
    """Return the maximum number of rows shown, from the options of pandas; None for all."""
    most: int | None = pd.get_option("display.max_rows")
    return most or None


def _width() -> int:
    """Return the width of text in columns: the option of pandas if changed, else the terminal's."""
    said: int | None = pd.get_option("display.width")
    if said and said != _UNSAID:
        return said
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNSAID
