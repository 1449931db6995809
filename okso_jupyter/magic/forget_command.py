"""The subcommand of `%okso` that removes runs from the journal."""

from __future__ import annotations

from typing import Final

from okso_jupyter.amounts import counted
from okso_jupyter.errors import UsageError
from okso_jupyter.journal.events import RunStarted
from okso_jupyter.journal.retention import Dropped, expire, forget, left_behind
from okso_jupyter.legible import visible
from okso_jupyter.magic.command_context import CommandContext
from okso_jupyter.session.session import Session

#: The option that takes a number of days.
OLDER_THAN: Final = "--older-than"
_USAGE: Final = f"%okso forget RUN, or %okso forget {OLDER_THAN} DAYS"
_KILO: Final = 1000
#: A hundred years: no journal is older.
_MOST_DAYS: Final = 36_500


def run(asked: CommandContext) -> str:
    """Remove an ended RUN from the journal, with its undo images; or all --older-than DAYS."""
    with asked.session() as session:
        if asked.words[:1] == [OLDER_THAN]:
            dropped = expire(session.journal, _days(asked.words[1:]))
            runs = counted(len(dropped.runs), "run")
            return f"{runs} forgotten: {_amounts(dropped)}"
        return _forgotten(session, *asked.words)


def _forgotten(session: Session, *words: str) -> str:
    """Forget one run; the message names the files that it wrote elsewhere, which stay."""
    if len(words) != 1:
        msg = f"%okso forget takes one run, and was given {' '.join(words)!r}"
        raise UsageError(msg if words else "%okso forget: which run?", hint=_USAGE)
    begun = session.journal.first_of_each(RunStarted)
    started = next((one for record, one in begun if record.run_id == words[0]), None)
    dropped = forget(session.journal, words[0])
    said = f"run {words[0]} forgotten: {_amounts(dropped)}"
    stays = left_behind(words[0], started) if started is not None else []
    if stays:
        said += f"; what it wrote elsewhere stays: {', '.join(map(str, stays))}"
    return visible(said)


def _days(words: list[str]) -> int:
    """Return the number of days.

    Raises:
        UsageError: It is not a whole number from 1.
    """
    if len(words) != 1 or not (words[0].isascii() and words[0].isdigit() and int(words[0])):
        msg = f"%okso forget {OLDER_THAN} takes a whole number of days, from 1"
        raise UsageError(msg, hint=_USAGE)
    return min(int(words[0]), _MOST_DAYS)


def _amounts(dropped: Dropped) -> str:
    """Return what was removed, in words."""
    size = f"{dropped.images_bytes / _KILO:,.1f} kB"
    return f"{counted(dropped.records, 'record')}, {counted(dropped.images, 'undo image')} ({size})"
