"""Ids of runs, and numbers of the runs of one request.

An id is OKSO_RUN_ID, or the time with a random suffix. Recordings name a run by its request and
its number.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from okso_jupyter.errors import JournalError, SettingError

if TYPE_CHECKING:
    from okso_jupyter.journal.store import Journal
    from okso_jupyter.settings import Settings

_RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_RUN_ID_IN_WORDS: Final = (
    "1 to 100 letters, digits, '_', '.' and '-', beginning with a letter or digit"
)


def new_run_id(settings: Settings, journal: Journal) -> str:
    """Return an id for a new run.

    Raises:
        SettingError: OKSO_RUN_ID is not a plain name.
        JournalError: OKSO_RUN_ID names an existing run.
    """
    wanted = settings.okso_run_id
    if wanted is None:
        return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    if not _RUN_ID.fullmatch(wanted):
        msg = f"OKSO_RUN_ID must be {_RUN_ID_IN_WORDS}, not {wanted!r}"
        raise SettingError(msg, hint="it also names a folder in OKSO_HOME")
    if journal.records(wanted):
        msg = f"OKSO_RUN_ID {wanted!r} names a run that is in the journal already"
        raise JournalError(msg, hint="choose another id, or leave it unset")
    return wanted


@dataclass(slots=True)
class RequestKeys:
    """Counts the runs of each request.

    Running a cell again is the same occurrence, where the front end gives the id of the cell.

    Attributes:
        cell: The id of the cell that runs; empty where it is unknown.
    """

    cell: str = ""
    _seen: dict[str, list[str]] = field(default_factory=dict)

    def count(self, key: str) -> int:
        """Return the number of this occurrence of a request, from 1; `key` is the request's."""
        seen = self._seen.setdefault(key, [])
        if self.cell and self.cell in seen:
            return seen.index(self.cell) + 1
        seen.append(self.cell)
        return len(seen)
