"""Markdown: escaping of plain text, and rendering of a model's answers.

A model's text is rendered by an allowlist: emphasis, code, lists, headings, quotations and tables.
There is no rule for links, pictures or HTML, so these stay text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from okso_jupyter.legible import visible

#: Characters with a meaning in Markdown or HTML; an underscore within a word has none.
_MARKUP = re.compile(r"[\\`*\[\]<>&|~@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.")
#: What MathJax takes for the start of a formula.
_FORMULA = re.compile(r"((?:\$|\\+(?=[(\[]|begin\b|(?:eq)?ref\b))+)")
_FENCE = re.compile(r"`{3,}")
_RULES: Final = (
    *("paragraph", "heading", "list", "blockquote", "fence", "hr", "table"),
    *("text", "newline", "escape", "backticks", "emphasis", "balance_pairs", "fragments_join"),
)
#: Deeper nesting is shown as text.
_MOST_LEVELS: Final = 20


def in_markdown(text: str) -> str:
    """Return a text as one line of Markdown in which no character is markup.

    Markup characters become character references. MathJax reads the page after these are resolved,
    and skips only code: so the start of a formula is written as code.
    """
    line = " ".join(visible(text).split())
    parts = _FORMULA.split(line)
    return "".join(
        f"`{part}`" if place % 2 else _MARKUP.sub(lambda mark: f"&#{ord(mark[0])};", part)
        for place, part in enumerate(parts)
    )


def fenced(text: str) -> str:
    """Return text in a fence longer than any inside it, so that no Markdown in it is rendered."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"


def rendered(text: str) -> str:
    """Return Markdown as HTML without links, pictures, attributes or raw tags."""
    return str(_MARKDOWN.render(visible(text)))


class _Renderer(RendererHTML):
    """Renders headings that stay out of the table of contents, and code without a class."""

    def heading_open(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        """Return the start of a heading, at a level below the notebook's."""
        level = min(int(tokens[idx].tag[1:]) + 2, 6)
        return f'<p role="heading" aria-level="{level}"><b>'

    def heading_close(self, *_: object) -> str:
        """Return the end of a heading."""
        return "</b></p>\n"

    def fence(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        """Return a block of code; its language is ignored."""
        return f"<pre><code>{html.escape(tokens[idx].content)}</code></pre>\n"


_MARKDOWN: Final = MarkdownIt(
    "zero", {"html": False, "breaks": True, "maxNesting": _MOST_LEVELS}, renderer_cls=_Renderer
).enable([*_RULES])
