"""Drawing: an inline SVG picture with the same content as text.

The SVG is built from elements, never from strings, so that it is well-formed whatever a name in it
contains. It has no script, id or URL, and no colour without a word of the same meaning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree as ET

import wcwidth

from okso_jupyter.legible import visible
from okso_jupyter.views.markdown_text import fenced
from okso_jupyter.views.text import NO_MATH, escape

#: Colours by meaning: a variable of the theme, with a default for pages without one.
COLOURS: Final[Mapping[str, str]] = {
    "paper": "var(--jp-layout-color0, #ffffff)",
    "band": "var(--jp-layout-color2, #eeeeee)",
    "ink": "var(--jp-content-font-color1, #212121)",
    "soft": "var(--jp-ui-font-color2, #616161)",
    "line": "var(--jp-border-color1, #bdbdbd)",
    "brand": "var(--jp-brand-color1, #1976d2)",
    "good": "var(--jp-success-color1, #388e3c)",
    "bad": "var(--jp-error-color1, #d32f2f)",
    "doubt": "var(--jp-warn-color1, #f57c00)",
}
_FONT: Final = "font-family:var(--jp-ui-font-family, system-ui, sans-serif);font-size:12px"
#: Largest width of a character of that font in pixels.
CHAR_WIDTH: Final = 7.0
#: Style that a front end removes together with the SVG.
_SHOWN: Final = ".okso-drawn[hidden]{display:block!important}.okso-undrawn{display:none}"
_NAMESPACE: Final = "http://www.w3.org/2000/svg"
#: Characters that XML cannot represent.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Drawing:
    """A picture that displays itself in a notebook.

    Attributes:
        label: What it shows, in one sentence.
        svg: The picture; valid as a file and as part of an HTML page.
        text: Its full content as text.
    """

    label: str
    svg: str
    text: str

    @property
    def html(self) -> str:
        """The picture with the text folded below it; only the text if the picture would be damaged.

        A front end that removes styles and SVG, as JupyterLab does in an untrusted notebook and
        GitHub always, leaves the letters of the picture unordered; there the picture is hidden.
        """
        plain = f"<pre style='white-space:pre-wrap'>{escape(self.text)}</pre>"
        return (
            f"<div class='{NO_MATH}'><style>{_SHOWN}</style>"
            "<div class='okso-drawn' hidden='hidden'>"
            f"<div style='overflow-x:auto'>{self.svg}</div>"
            f"<details><summary>{escape(self.label)}: in words</summary>{plain}</details></div>"
            f"<div class='okso-undrawn'>{plain}</div></div>"
        )

    def __repr__(self) -> str:
        return visible(self.text)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the picture for a notebook, as `faces` does."""
        del include, exclude
        return self.faces()

    def faces(self) -> dict[str, str]:
        """Return the picture as SVG, and as HTML, Markdown and text."""
        return {
            "text/plain": repr(self),
            "text/markdown": fenced(self.text),
            "image/svg+xml": self.svg,
            "text/html": self.html,
        }


def element(tag: str, *parts: ET.Element | str, **attributes: str | float) -> ET.Element:
    """Return an SVG element.

    Args:
        tag: Its name.
        parts: Its children; a text comes before all of them.
        attributes: Its attributes; `_` in a name becomes a dash, numbers are shortened.
    """
    named = {
        name.replace("_", "-"): _clean(value) if isinstance(value, str) else f"{value:.6g}"
        for name, value in attributes.items()
    }
    made = ET.Element(tag, named)
    for part in parts:
        if isinstance(part, str):
            made.text = _clean(part)
        else:
            made.append(part)
    return made


def words(  # noqa: PLR0913  place, content and style
    text: str, x: float, y: float, *, width: float, colour: str = "ink", look: str = ""
) -> ET.Element:
    """Return a line of text, cut with an ellipsis if it is too long.

    Args:
        text: The text.
        x: Its left edge in pixels.
        y: Its base line in pixels.
        width: Most pixels that it may take.
        colour: A name of `COLOURS`.
        look: Additional CSS.
    """
    style = f"fill:{COLOURS[colour]};{look}".rstrip(";")
    return element("text", clipped(text, width), x=x, y=y, style=style)


def clipped(text: str, width: float) -> str:
    """Return text as one line of at most `width` pixels."""
    line = " ".join(visible(text).split())
    most = int(width / CHAR_WIDTH)
    if wcwidth.width(line) <= most:
        return line
    return f"{wcwidth.clip(line, 0, max(0, most - 1))}…"


def svg(label: str, width: float, height: float, parts: list[ET.Element]) -> str:
    """Return an SVG picture with its own background that scales down to its container.

    Args:
        label: Description of the picture for screen readers.
        width: Its width in pixels.
        height: Its height in pixels.
        parts: Its elements, the lowest first.
    """
    paper = element("rect", width=width, height=height, style=f"fill:{COLOURS['paper']}")
    root = element(
        "svg", element("title", label), paper, *parts,
        xmlns=_NAMESPACE, role="img", aria_label=label, viewBox=f"0 0 {width:.6g} {height:.6g}",
        width=width, height=height, style=f"max-width:100%;height:auto;{_FONT}",
    )  # fmt: skip
    return ET.tostring(root, encoding="unicode")


def _clean(text: str) -> str:
    """Return text with hidden characters made visible, and valid in XML."""
    return _NOT_XML.sub("\ufffd", visible(text))
