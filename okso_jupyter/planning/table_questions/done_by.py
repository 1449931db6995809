"""Done by: what was done to rows, or by whom, as a condition: "are sponsored", "by those with"."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import DONE, header_words, stem

#: Those who did it, told by what follows: they are no groups.
_BY_THOSE: Final = re.compile(
    r"(?i)(?P<done>\b[^\W\d_]+)\s+by\s+(?P<whom>(?:the\s+|any\s+|an?\s+)?[^\W\d_]+)"
    r"(?=\s+(?:with|whose|that|who|which|from|having)\b)"
)
_IS_DONE: Final = re.compile(
    r"(?i)\b(?:are|were|is|was|sind|waren|wurden|have\s+been)\s+(?P<no>not\s+|nicht\s+)?"
    r"(?P<done>[^\W\d_]{4,})(?=\s*[?.!]*$)"
)
#: Letters that both have in common at least.
_SHORTEST_ROOT: Final = 4


def with_those_who_did(question: str) -> str:
    """Return a question in which those who did it are no groups: "shipped by carriers with"."""

    def said(found: re.Match[str]) -> str:
        is_done = DONE.fullmatch(found["done"].lower())
        return f"{found['done']} of {found['whom']}" if is_done else found[0]

    return _BY_THOSE.sub(said, question)


def with_done(question: str, table: TableSample) -> str:
    """Return a question with the column that tells of each row by whom it was done; "" for others.

    "How many episodes are sponsored?" asks for those with a sponsor, where some have none.
    """
    changed = _IS_DONE.sub(partial(_as_held, table=table), question)
    return changed if changed != question else ""


def _as_held(found: re.Match[str], table: TableSample) -> str:
    done = found["done"].lower()
    columns = table.columns.values()
    if not DONE.fullmatch(done) or any(_has_word(done, column) for column in columns):
        return found[0]
    named = [c for c in table.columns.values() if _tells(done, c)]
    if len(named) != 1:
        return found[0]
    is_german = found[0].lower().startswith(("sind", "waren", "wurden"))
    have, a, no = ("haben", "einen", "keinen") if is_german else ("have", "a", "no")
    return f"{have} {no if found['no'] else a} {named[0].name}"


def _tells(done: str, column: ColumnSample) -> bool:
    """Return whether a column of names says by whom something was done, and has gaps."""
    words = header_words(column.name)
    has_gaps = any(cell is None for cell in column.present)
    is_name = column.kind in {"text", "mixed"} and column.flags is None
    return has_gaps and is_name and len(words) == 1 and _is_of_one_root(done, words[0])


def _is_of_one_root(done: str, name: str) -> bool:
    """Return whether what was done begins as who did it: "sponsored", "gesponsert" of a sponsor."""
    root = name[: max(_SHORTEST_ROOT, len(name) - 2)]
    return len(name) > _SHORTEST_ROOT and done.removeprefix("ge").startswith(root)


def _has_word(done: str, column: ColumnSample) -> bool:
    """Return whether a column tells it by its own name, such as `marked_on`, or by a cell."""
    is_named = len(column.stems) > 1 and stem(done) in column.stems
    return is_named or any(done in value for value in column.values)
