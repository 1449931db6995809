"""Copies of a cell's outputs as HTML, for pages that the front end sends no outputs of the cell to.

A front end keeps the connection from a request to its cell until the page is reloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from okso_jupyter.kernel.front_end import current_shell

_SHOWN = ("display_data", "update_display_data")


@dataclass(slots=True)
class _Copies:
    """A hook of IPython's publisher: sees each message before it is sent, and changes none."""

    show: Callable[[Sequence[str]], object]
    _html: dict[str, str] = field(default_factory=dict)

    def __call__(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        content = message["content"]
        html = content.get("data", {}).get("text/html")
        if message["msg_type"] in _SHOWN and html is not None:
            output = content.get("transient", {}).get("display_id") or f"no id {len(self._html)}"
            self._html[output] = html
            self.show([*self._html.values()])
        return message


@contextmanager
def copied_outputs(show: Callable[[Sequence[str]], object]) -> Iterator[None]:
    """Call `show` with the HTML of each output that is displayed within the block so far.

    Args:
        show: Called whenever an output is displayed or updated.
    """
    publisher = current_shell().display_pub
    copies = _Copies(show)
    publisher.register_hook(copies)
    try:
        yield
    finally:
        publisher.unregister_hook(copies)
