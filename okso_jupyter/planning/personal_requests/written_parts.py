"""What a request says outright: behind a colon, or in quotation marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.personal_requests.mail_words import QUOTED

_QUOTED: Final = re.compile(rf"(?<!\w)(?:{QUOTED})(?!\w)")
_COLON: Final = re.compile(r"(?<!\d):(?= ?\S)(?!//)|:(?= )")


@dataclass(frozen=True, slots=True)
class Said:
    """A request by its parts.

    Attributes:
        head: What stands before the colon, with its quotations.
        written: What stands behind it, or else the last quotation; "" for neither.
        has_colon: Whether there is a colon.
    """

    head: str
    written: str
    has_colon: bool


def said_of(request: str) -> Said:
    """Return the parts of a request; a colon in a quotation or a time of day is none."""
    quoted = [*_QUOTED.finditer(request)]
    for colon in _COLON.finditer(request):
        if not any(q.start() < colon.start() < q.end() for q in quoted):
            return Said(
                request[: colon.start()].strip(), request[colon.end() :].strip(), has_colon=True
            )
    last = quoted[-1][0] if quoted else ""
    return Said(request.strip(), last, has_colon=False)
