"""Document readers: one module per kind, run only in the sandboxed worker.

In: `Asked`. Out: `Read`, or `UnreadableError`. Nothing here imports okso_jupyter: the worker
loads this folder as a separate package. Each reader imports its library at the top, so that a
missing library is noticed only when its kind is requested.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

#: The module with `read_KIND`, by kind.
MODULES: Final = {
    "html": "hypertext",
    "xml": "data",
    "json": "data",
    "ipynb": "data",
    "pdf": "pdf",
    "docx": "docx",
    "pptx": "pptx",
    "xlsx": "xlsx",
}

#: Invisible characters: controls, zero-width and bidirectional marks, tags, variation selectors.
_INVISIBLE: Final = re.compile(
    "[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_LINE_ENDS: Final = re.compile("\r\n?|[\x85\u2028\u2029]")
_BLANK_LINES: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")


class UnreadableError(Exception):
    """The document cannot be read; the message says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One document to read.

    Attributes:
        data: Its content.
        max_chars: Maximum length of the Markdown that is kept: a reader may stop there.
        charset: Declared text encoding; "" if there is none.
        base_url: Base address for relative links; "" if there is none.
    """

    data: bytes
    max_chars: int
    charset: str = ""
    base_url: str = ""


@dataclass(slots=True, kw_only=True)
class Read:
    """Result of a reader.

    Attributes:
        markdown: The text.
        title: The document's title.
        pages: Number of pages, slides or sheets.
        warnings: What was left out.
    """

    markdown: str
    title: str = ""
    pages: int = 1
    warnings: list[str] = field(default_factory=list)

    def as_frame(self, max_chars: int) -> dict[str, object]:
        """Return the result for the broker: visible characters only, cut to size, without HTML."""
        from .markdown import inert  # noqa: PLC0415  it imports this module's package

        text = visible(self.markdown).strip()
        if len(text) > max_chars:
            self.warnings.append(f"cut at {max_chars:,} characters")
        return {
            "markdown": inert(text[:max_chars]),
            "title": " ".join(visible(self.title).split()),
            "pages": self.pages,
            "warnings": self.warnings,
        }


def visible(text: str) -> str:
    """Return a text without invisible characters, and with plain line ends."""
    text = _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text))
    return _BLANK_LINES.sub("\n\n", text)
