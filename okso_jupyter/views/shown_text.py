"""ShownText: a text that a notebook shows line by line, not as the `repr` of a string."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Final

from okso_jupyter.legible import visible

if TYPE_CHECKING:
    from IPython.lib.pretty import RepresentationPrinter

#: JupyterLab breaks words anywhere in plain text.
_WHOLE_WORDS: Final = (
    "background: none; margin: 0; overflow-wrap: break-word; padding: 0; "
    "white-space: pre-wrap; word-break: normal"
)


class ShownText(str):
    """A text of several lines; everywhere else it is a string like any other."""

    __slots__ = ()

    # IPython has a printer for str, which takes precedence over a MIME bundle but not over this
    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:  # noqa: FBT001  called by IPython
        """Write the text itself; the hook that IPython calls."""
        del cycle
        printer.text(visible(self))

    def _repr_html_(self) -> str:
        """Return the text as HTML whose words are not broken at the end of a line."""
        return f'<pre style="{_WHOLE_WORDS}">{html.escape(visible(self))}</pre>'
