"""Text for HTML: legible (see `legible`) and escaped."""

from __future__ import annotations

import html
from typing import Final

from okso_jupyter.legible import visible

__all__ = ["NO_MATH", "escape", "visible"]

#: Class that makes MathJax, new and old, ignore dollar signs: a formula could hide text or show
#: other text in its place.
NO_MATH: Final = "mathjax_ignore tex2jax_ignore"


def escape(text: str) -> str:
    """Return the text for HTML content and quoted attributes, with hidden characters visible."""
    return html.escape(visible(text), quote=True)
