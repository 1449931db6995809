"""Text that is safe to look at: hidden characters made visible, markup escaped."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final

#: Characters that show nothing although Unicode calls them letters, marks or symbols.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2800\u3164\uffa0")
#: Controls, format characters (bidirectional, zero-width, tags) and lone surrogates.
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs"})
#: A colour emoji ends with this selector so often that showing it would only be noise.
_EMOJI_SELECTOR: Final = "\ufe0f"
#: Class for MathJax, new and old: what stands between dollar signs is no mathematics, which
#: could also hide text or show other text in its place.
NO_MATH: Final = "mathjax_ignore tex2jax_ignore"
_NOT_PLAIN = re.compile(r"[^\n\t\x20-\x7e]")


def visible(text: str) -> str:
    """Return the text with every hidden character written out, such as ⟨U+202E⟩.

    Line feed and tab stay as they are.
    """
    return _NOT_PLAIN.sub(lambda match: _shown(match[0]), text)


def escape(text: str) -> str:
    """Return the text for HTML, in content and in quoted attributes, hidden characters visible."""
    return html.escape(visible(text), quote=True)


def _shown(character: str) -> str:
    """Return a character, or its code where it would not be seen."""
    return f"⟨U+{ord(character):04X}⟩" if _is_hidden(character) else character


def _is_hidden(character: str) -> bool:
    """Say whether a character leaves no mark, or moves the marks of others."""
    return (
        unicodedata.category(character) in _HIDDEN_CATEGORIES
        or character in _BLANK
        or _is_selector(character)
    )


def _is_selector(character: str) -> bool:
    """Say whether a character only selects a variant: a row of them can carry hidden text."""
    if character == _EMOJI_SELECTOR:
        return False
    return "\ufe00" <= character <= "\ufe0e" or "\U000e0100" <= character <= "\U000e01ef"
