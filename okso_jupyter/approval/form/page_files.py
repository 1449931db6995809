"""The front end of the form: its script and its style, put together from the files in static/."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from okso_jupyter.views import plan_html

#: One module in parts: each uses what those before it define.
_SCRIPTS: Final = ("kernel.js", "slots.js", "focus.js", "dom.js", "draft.js", "card.js", "form.js")


@cache
def script() -> str:
    """Return the ES module whose default export is what anywidget renders."""
    return "\n".join(_read(name) for name in _SCRIPTS)


@cache
def style() -> str:
    """Return the style sheet of the form, that of the static cards included."""
    return plan_html.sheet() + _read("form.css")


def _read(name: str) -> str:
    return (resources.files("okso_jupyter.widgets") / "static" / name).read_text("utf-8")
