"""Frame: a DataFrame that shows what is in it and nothing else.

pandas escapes tags, but it leaves hidden characters hidden and lets a front end read what stands
between dollar signs as mathematics, which could show another text in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from okso_jupyter.legible import visible


class Frame(pd.DataFrame):
    """A DataFrame whose cells and headings are legible wherever it is shown.

    The data are untouched, and what is selected from a Frame is one too.
    """

    @property
    def _constructor(self) -> Callable[..., Frame]:
        return Frame

    def __repr__(self) -> str:
        return repr(self._legible())

    def _repr_html_(self) -> str | None:
        """Return the table as HTML; the hook of notebooks."""
        shown: Any = self._legible()
        with pd.option_context("display.html.use_mathjax", False):  # noqa: FBT003  pandas' way
            html: str | None = shown._repr_html_()
        return html

    def _legible(self) -> pd.DataFrame:
        """Return a plain frame of what may be shown."""
        shown = pd.DataFrame(self).copy()
        for place, dtype in enumerate(shown.dtypes):
            if pd.api.types.is_object_dtype(dtype) or isinstance(dtype, pd.StringDtype):
                column = shown.iloc[:, place].astype(object)
                shown.isetitem(place, [_seen(value) for value in column])
        shown.columns = shown.columns.map(_seen)
        if shown.index.dtype.kind == "O":
            shown.index = shown.index.map(_seen)
        shown.index.names = [_seen(name) for name in shown.index.names]
        return shown


def _seen(value: object) -> object:
    """Return text, and what holds text, as a person may see it; the rest as it is."""
    if isinstance(value, str):
        return visible(value)
    return visible(str(value)) if isinstance(value, Mapping | list | tuple) else value
