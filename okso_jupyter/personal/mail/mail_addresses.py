"""Mail addresses and header lines: checked so that nothing in them can become another header."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from okso_jupyter.errors import ToolInputError

NO_SUBJECT: Final = "(no subject)"
#: The addresses that people write; quoted local parts and address literals are refused.
ADDRESS: Final = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)
_MAX_ADDRESS_CHARS: Final = 254
_MAX_RECIPIENTS: Final = 50
_MAX_SUBJECT_CHARS: Final = 500
#: Characters that end a line for some program, among them those of Unicode.
_LINE_ENDS: Final = frozenset("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029\0")


def checked_recipients(given: Iterable[str]) -> tuple[str, ...]:
    """Return the addresses of a list, each once, in order.

    Raises:
        ToolInputError: One is not an address, holds a line break, or there are none or too many.
    """
    found: dict[str, None] = {}
    for text in given:
        if _LINE_ENDS & set(text):
            msg = f"the recipient {text!r} holds a line break"
            raise ToolInputError(msg, hint="name each address on its own")
        address = text.strip()
        if not ADDRESS.fullmatch(address) or len(address) > _MAX_ADDRESS_CHARS:
            msg = f"{text!r} is not a mail address"
            raise ToolInputError(msg, hint="write it like ada@example.org, without a name")
        found[address] = None
    if not found:
        msg = "the mail names no recipient"
        raise ToolInputError(msg)
    if len(found) > _MAX_RECIPIENTS:
        msg = f"the mail has {len(found)} recipients; {_MAX_RECIPIENTS} are allowed"
        raise ToolInputError(msg)
    return tuple(found)


def checked_subject(text: str) -> str:
    """Return a subject without outer blanks; `NO_SUBJECT` for an empty one.

    Raises:
        ToolInputError: It holds a line break or another control character, or is too long.
    """
    if any(c in _LINE_ENDS or unicodedata.category(c) == "Cc" for c in text if c != "\t"):
        msg = "the subject holds a line break or another control character"
        raise ToolInputError(msg, hint="a subject is one line")
    if len(text) > _MAX_SUBJECT_CHARS:
        msg = f"the subject has {len(text):,} characters; {_MAX_SUBJECT_CHARS} are allowed"
        raise ToolInputError(msg)
    return text.strip() or NO_SUBJECT


def addresses_in(text: str) -> tuple[str, ...]:
    """Return the mail addresses that a text names, each once, in its order."""
    return tuple(dict.fromkeys(found[0] for found in ADDRESS.finditer(text)))
