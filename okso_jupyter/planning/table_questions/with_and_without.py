"""With and without: "the average price of rooms with and without a balcony" is of two groups.

Where a column says of each row whether it has what is named, its values are the groups. Where none
does, a reading leaves out what is compared, and is hardly ever right.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens

_AGAINST: Final = (
    r"(?:and|or|vs\.?|versus|against|compared\s+(?:to|with)|und|oder|gegen|gegenüber|"
    r"verglichen\s+mit)"
)
_A: Final = r"(?:(?:an?|any|the|ein(?:e[nmr]?)?|d(?:ie|as|e[nmr]))\s+)?"
_NAMED: Final = r"[^\W\d_][\w-]*(?:\s+[^\W\d_][\w-]*)?"
_THOSE: Final = r"(?:(?:those|the\s+ones|those\s+that\s+are|solchen?|denen|die)\s+)?"
_ONE: Final = rf"{_A}(?P<of>[^\W\d_][\w-]*)"
#: Not with one thing and without another: "with a balcony and without a kitchen".
_NO_OTHER: Final = (
    r"(?=\s*(?:[?.!,;]|$|\b(?:in|on|at|of|by|per|for|from|each|on|since|and|is|are|were|was|cost|im|"
    r"am|bei|von|pro|je|nach|aus|und|ist|sind|kosten|compare|compared)\b))"
)
_AGAIN: Final = rf"(?:without|ohne)(?:\s+(?:it|one|eine[nm]?)\b|\s+{_A}(?P=of)\b)?{_NO_OTHER}"
_NOT: Final = (
    r"(?:do(?:n['’]?t|\s+not|es(?:n['’]?t|\s+not))|ha(?:ve|s)(?:n['’]?t|\s+not)|have\s+none|nicht|"
    rf"keine[nr]?)\b(?:\s+(?:have\s+)?(?:it|one|any)\b|\s+(?:have\s+)?{_A}(?P=of)\b)?{_NO_OTHER}"
)
_PATTERNS: Final = tuple(
    re.compile(rf"(?i)\b{pattern}")
    for pattern in (
        rf"(?:with|mit)\s+{_AGAINST}\s+(?:without|ohne)\s+{_A}(?P<of>{_NAMED})",
        rf"(?:with|mit)\s+{_ONE}\s+{_AGAINST}\s+{_THOSE}{_AGAIN}",
        (
            rf"(?:with|mit)\s+{_ONE}\s+(?P<rest>(?:[^\W\d_]+\s+){{1,5}}?)"
            rf"(?:vs\.?|versus|compared\s+(?:to|with)|verglichen\s+mit)\s+{_THOSE}{_AGAIN}"
        ),
        (
            rf"(?:have|has|got|haben|hat)\s+{_ONE}\s*(?:,|and|or|und|oder)+\s+"
            rf"(?:how\s+many\s+|wie\s+viele\s+)?{_NOT}"
        ),
    )
)
#: Groups of those that have something and those that do not.
_TWO: Final = 2


def with_both(question: str, table: TableSample) -> str:
    """Return a question in which the groups with and without something are those of its column.

    Args:
        question: The question.
        table: Its table; without a column of two values that is called so the question stays.
    """
    for pattern in _PATTERNS:
        found = pattern.search(question)
        column, behind = _column_of(found["of"], table) if found else (None, "")
        if found and column:
            kept = f"{behind} {found.groupdict().get('rest') or ''}"
            rest = f"{question[: found.start()]} {kept} {question[found.end() :]}"
            return f"{' '.join(rest.split()).rstrip(' ?.!')} for each {column.name}"
    return question


def says_both(question: str) -> bool:
    """Return whether a question still asks for the groups with and without something."""
    return any(pattern.search(question) for pattern in _PATTERNS)


def _column_of(named: str, table: TableSample) -> tuple[ColumnSample | None, str]:
    """Return the column of two values that the words begin with, and the words behind its name."""
    words = named.split()
    for size in range(len(words), 0, -1):
        called = {stem(word) for word in tokens(in_words_of(" ".join(words[:size]), table))}
        found = [column for column in table.columns.values() if called <= set(column.stems)]
        if len(found) == 1 and 0 < len(found[0].places) <= _TWO:
            return found[0], " ".join(words[size:])
    return None, ""
