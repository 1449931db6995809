"""ShownText: a text that a notebook shows line by line, not as the `repr` of a string."""

from __future__ import annotations

from typing import TYPE_CHECKING

from okso_jupyter.legible import visible

if TYPE_CHECKING:
    from IPython.lib.pretty import RepresentationPrinter


class ShownText(str):
    """A text of several lines; everywhere else it is a string like any other."""

    __slots__ = ()

    # IPython has a printer for str, which takes precedence over a MIME bundle but not over this
    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:  # noqa: FBT001  called by IPython
        """Write the text itself; the hook that IPython calls."""
        del cycle
        printer.text(visible(self))
