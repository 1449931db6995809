"""Front-end code of the form: its script and style sheet, joined from the files in static/."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from okso_jupyter.views import plan_html

#: Parts of one ES module; each uses the definitions of those before it.
_SCRIPTS: Final = (
    "kernel.js", "slots.js", "focus.js", "dom.js", "draft.js", "rows.js", "card.js", "form.js",
)  # fmt: skip


@cache
def script() -> str:
    """Return the ES module whose default export anywidget renders."""
    return "\n".join(_read(name) for name in _SCRIPTS)


@cache
def style() -> str:
    """Return the style sheet of the form, including that of the static cards."""
    return plan_html.sheet() + _read("form.css")


def _read(name: str) -> str:
    return (resources.files("okso_jupyter.widgets") / "static" / name).read_text("utf-8")
