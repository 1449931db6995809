"""Text that a person can trust their eyes with: hidden characters visible, secrets out, bounded.

In: text of a tool, model, file or person. Out: text that is safe in a terminal and a message;
for HTML it still has to be escaped (`views.text`). Every room may import this.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from okso_jupyter.redaction.redactor import redact

#: Characters that show nothing although Unicode calls them letters, marks or symbols.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2800\u3164\uffa0")
#: Controls, format characters (bidirectional, zero-width, tags) and lone surrogates.
_HIDDEN_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs"})
#: A colour emoji ends with this selector so often that showing it would only be noise.
_EMOJI_SELECTOR: Final = "\ufe0f"
#: Two format characters that scripts and emoji need; in a name they hide nothing on purpose.
_JOINERS: Final = frozenset("\u200c\u200d")
_NOT_PLAIN = re.compile(r"[^\n\t\x20-\x7e]")
_LINE_ENDS: Final = str.maketrans({"\n": "⟨U+000A⟩", "\t": "⟨U+0009⟩"})
#: Head and tail of a message that is too long: a value in its middle is what makes it so.
_HEAD_CHARS: Final = 500
_TAIL_CHARS: Final = 300
_LEFT_OUT: Final = re.compile(r"… \(([\d,]+) characters\) …")


def visible(text: str) -> str:
    """Return the text without secrets and with hidden characters written out, as ⟨U+202E⟩.

    Line feed and tab stay as they are.
    """
    return _NOT_PLAIN.sub(lambda match: _shown(match[0]), redact(text))


def sentence(text: str) -> str:
    """Return a message on one line, legible, its middle left out where it is too long."""
    line = visible(text).translate(_LINE_ENDS)
    if len(line) <= _HEAD_CHARS + _TAIL_CHARS:
        return line
    return f"{line[:_HEAD_CHARS]}… ({_whole_chars(line):,} characters) …{line[-_TAIL_CHARS:]}"


def _whole_chars(line: str) -> int:
    """Return how long a message was, also one that quotes a message cut by `sentence`."""
    mark = _LEFT_OUT.search(line)
    if mark is None:
        return len(line)
    shown_chars = _HEAD_CHARS + len(mark[0]) + _TAIL_CHARS
    return len(line) + max(0, int(mark[1].replace(",", "")) - shown_chars)


def hidden_in_name(name: str) -> str:
    """Return the first character of a file name that nobody would see there, else nothing."""
    return next((c for c in name if _is_hidden(c) and c not in _JOINERS), "")


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
