"""What a request says behind a colon: the text of a note, or an event."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.personal_requests.mail_words import QUOTED

_QUOTED: Final = re.compile(rf"(?<!\w)(?:{QUOTED})(?!\w)")
_COLON: Final = re.compile(r"(?<!\d):(?= ?\S)(?!//)|:(?= )")


def at_colon(request: str) -> tuple[str, str] | None:
    """Return what stands before and behind the first colon; None for no colon.

    A colon in a quotation, a time of day or an address of the web is none.
    """
    quoted = [*_QUOTED.finditer(request)]
    for colon in _COLON.finditer(request):
        if not any(q.start() < colon.start() < q.end() for q in quoted):
            return request[: colon.start()].strip(), request[colon.end() :].strip()
    return None
