"""End of groups: "highest revenue month" is the month with the highest revenue, and no maximum."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import header_stems, stem, tokens

_ENDS: Final = {
    **dict.fromkeys(("highest", "largest", "biggest", "greatest", "top"), "highest"),
    **dict.fromkeys(("lowest", "smallest"), "lowest"),
}
#: With what stands before it, and perhaps a condition behind it.
_ONE_OF_GROUPS: Final = re.compile(
    r"(?i)^\W*(?:(?:(?:what|which)(?:['’]s|\s+(?:is|was))?|(?:show|give|tell)(?:\s+me)?|find)\s+)?"
    rf"(?:(?:our|the|my|their)\s+)*(?P<end>{'|'.join(_ENDS)})\s+(?P<measure>\w+)\s+(?P<group>\w+)"
    r"(?P<behind>\s+(?:in|of|for|from|during)\s+.+?)?\W*$"
)
_PERIODS: Final = frozenset({"month", "quarter", "week", "year", "weekday"})


def with_end_of_groups(question: str, table: TableSample) -> str:
    """Return "which month had the highest revenue" for "highest revenue month"; "" for others.

    Args:
        question: The question.
        table: Its table, which has a column of the one and of the other, or dates.
    """
    found = _ONE_OF_GROUPS.match(question)
    if found is None:
        return ""
    measure, group = found["measure"], found["group"]
    # "highest unit price" is of one column, and "top paid member" of none of numbers
    whole = _columns_called(f"{measure} {group}", table)
    amounts = [c for c in _columns_called(measure, table) if c.has_numbers and not c.is_key]
    if whole or len(amounts) != 1 or not _has_groups(group.lower(), table):
        return ""
    end = _ENDS[found["end"].lower()]
    return f"which {group} had the {end} {measure}{found['behind'] or ''}"


def _has_groups(group: str, table: TableSample) -> bool:
    """Return whether a word is a period, and there are dates, or the one column of kinds."""
    columns = [*table.columns.values()]
    if group in _PERIODS and any(column.kind == "date" for column in columns):
        return True
    called = _columns_called(group, table)
    return len(called) == 1 and called[0].kind == "text" and called[0].repeats


def _columns_called(said: str, table: TableSample) -> list[ColumnSample]:
    """Return the columns that are called by some words, or else have them among others."""
    stems = {stem(word) for word in tokens(in_words_of(said, table))}
    named = {c.name: {*header_stems(c.name)} for c in table.columns.values()}
    found = [name for name, own in named.items() if own == stems]
    found = found or [name for name, own in named.items() if stems and stems <= own]
    return [table[name] for name in found]
