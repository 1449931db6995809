"""Text made safe to show: hidden characters visible, secrets redacted, length limited.

The input is text of a tool, model, file or person; the result is safe in a terminal and a message.
For HTML it still has to be escaped (`views.text`). Any package may import this.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from okso_jupyter.redaction.redactor import redact

#: Characters that render as blank although Unicode calls them letters, marks or symbols.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2800\u3164\uffa0")
#: Control and format characters (bidirectional, zero-width, tags) and lone surrogates.
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs"})
#: Most colour emoji end with this selector: showing it would only be noise.
_EMOJI_SELECTOR: Final = "\ufe0f"
#: Two format characters that scripts and emoji need; in a name they are not a sign of deceit.
_JOINERS: Final = frozenset("\u200c\u200d")
_NOT_PLAIN = re.compile(r"[^\n\t\x20-\x7e]")
_LINE_ENDS: Final = str.maketrans({"\n": "⟨U+000A⟩", "\t": "⟨U+0009⟩"})
#: Lengths of head and tail of a message that is too long: usually a value in its middle is long.
_HEAD_CHARS: Final = 500
_TAIL_CHARS: Final = 300
_LEFT_OUT: Final = re.compile(r"… \(([\d,]+) characters\) …")


def visible(text: str) -> str:
    """Return the text with secrets redacted and hidden characters written as codes, like ⟨U+202E⟩.

    Line feed and tab stay as they are.
    """
    return _NOT_PLAIN.sub(lambda match: _shown(match[0]), redact(text))


def sentence(text: str) -> str:
    """Return a message as one legible line; the middle of a long one is left out."""
    line = visible(text).translate(_LINE_ENDS)
    if len(line) <= _HEAD_CHARS + _TAIL_CHARS:
        return line
    return f"{line[:_HEAD_CHARS]}… ({_whole_chars(line):,} characters) …{line[-_TAIL_CHARS:]}"


def _whole_chars(line: str) -> int:
    """Return the original length of a message, also if it quotes a message cut by `sentence`."""
    mark = _LEFT_OUT.search(line)
    if mark is None:
        return len(line)
    shown_chars = _HEAD_CHARS + len(mark[0]) + _TAIL_CHARS
    return len(line) + max(0, int(mark[1].replace(",", "")) - shown_chars)


def hidden_in_name(name: str) -> str:
    """Return the first hidden character of a file name, or "" if it has none."""
    return next((c for c in name if _is_hidden(c) and c not in _JOINERS), "")


def _shown(character: str) -> str:
    """Return a character, or its code if it is hidden."""
    return f"⟨U+{ord(character):04X}⟩" if _is_hidden(character) else character


def _is_hidden(character: str) -> bool:
    """Return whether a character is invisible or moves the characters around it."""
    return (
        unicodedata.category(character) in _HIDDEN_CATEGORIES
        or character in _BLANK
        or _is_selector(character)
    )


def _is_selector(character: str) -> bool:
    """Return whether a character only selects a variant: a row of them can carry hidden text."""
    if character == _EMOJI_SELECTOR:
        return False
    return "\ufe00" <= character <= "\ufe0e" or "\U000e0100" <= character <= "\U000e01ef"
