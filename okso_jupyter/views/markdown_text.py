"""Markdown in both directions: text that stays text in it, and answers that are written in it.

What a model writes is made HTML by an allowlist: emphasis, code, lists, headings, quotations and
tables. There is no rule for links, pictures or HTML, so that these stay the text that they are.
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

#: What Markdown or HTML might take for more than a character. An underscore within a word is none.
_MARKUP = re.compile(r"[\\`*\[\]<>&|~@]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.")
#: What MathJax takes for the beginning of a formula.
_FORMULA = re.compile(r"((?:\$|\\+(?=[(\[]|begin\b|(?:eq)?ref\b))+)")
_FENCE = re.compile(r"`{3,}")
_RULES: Final = (
    *("paragraph", "heading", "list", "blockquote", "fence", "hr", "table"),
    *("text", "newline", "escape", "backticks", "emphasis", "balance_pairs", "fragments_join"),
)
#: Deeper nesting is shown as text.
_MOST_LEVELS: Final = 20


def in_markdown(text: str) -> str:
    """Return a text on one line for Markdown, whose every mark is only a character.

    Marks are written as character references. MathJax reads the page when these are characters
    again, and skips nothing but code: so what begins a formula is code.
    """
    line = " ".join(visible(text).split())
    parts = _FORMULA.split(line)
    return "".join(
        f"`{part}`" if place % 2 else _MARKUP.sub(lambda mark: f"&#{ord(mark[0])};", part)
        for place, part in enumerate(parts)
    )


def fenced(text: str) -> str:
    """Return text in a fence longer than any inside it: no Markdown in it is rendered."""
    longest = max((len(run) for run in _FENCE.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"


def rendered(text: str) -> str:
    """Return Markdown as HTML that holds no link, picture, attribute or tag of its own."""
    return str(_MARKDOWN.render(visible(text)))


class _Renderer(RendererHTML):
    """Writes headings that stand in no table of contents, and code without a class."""

    def heading_open(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        """Begin a heading, below those of the notebook."""
        level = min(int(tokens[idx].tag[1:]) + 2, 6)
        return f'<p role="heading" aria-level="{level}"><b>'

    def heading_close(self, *_: object) -> str:
        """End a heading."""
        return "</b></p>\n"

    def fence(self, tokens: Sequence[Token], idx: int, *_: object) -> str:
        """Return a block of code; what language it says to be in makes no difference."""
        return f"<pre><code>{html.escape(tokens[idx].content)}</code></pre>\n"


_MARKDOWN: Final = MarkdownIt(
    "zero", {"html": False, "breaks": True, "maxNesting": _MOST_LEVELS}, renderer_cls=_Renderer
).enable([*_RULES])
