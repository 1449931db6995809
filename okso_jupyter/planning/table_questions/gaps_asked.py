"""Gaps: a question for what is missing in a table, and in none of its columns by name.

"What is still blank?" is answered by the number of missing cells of every column.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import Measure, Query

_STILL: Final = r"(?:(?:still|yet|there|left|all|actually|noch|alles|überall|denn)\s+)*"
_GAPS: Final = (
    r"(?:gaps?|holes|blanks?|(?:missing|blank|empty)(?:\s+(?:values?|cells?|data|entries))?)"
)
_LUECKEN: Final = r"(?:lücken|leerstellen|(?:fehlende|leere)\s+(?:werte?|zellen?|daten|angaben))"
_UNFILLED: Final = (
    r"(?:blank|missing|empty|incomplete|left\s+(?:out|blank|empty)|(?:not|un)\s?filled(?:\s+in)?|"
    r"leer|unvollständig|nicht\s+ausgefüllt)"
)
_ALONE: Final = re.compile(
    rf"""(?ix)\W*(?:(?:and|so|und)\s+)?(?:
    (?:what|which\s+(?:values?|cells?|data|entries|fields?)|welche\s+(?:werte|zellen|daten|felder)|
        was|wo)(?:['’]s|\s+(?:is|are|ist|sind))?\s+{_STILL}(?:etwas\s+)?{_UNFILLED} |
    (?:what|was|wo|which\s+values?|welche\s+(?:werte|daten|angaben))\s+(?:is\s+|are\s+)?
        (?:fehlt|fehlen|lacks)(?:\s+(?:noch|alles|etwas|denn|überall))* |
    (?:where|what|which|wo|welche)(?:['’]s|\s+(?:is|are|ist|sind|gibt\s+es))\s+{_STILL}
        (?:the\s+|any\s+|die\s+)?(?:{_GAPS}|{_LUECKEN}) |
    (?:are|is|gibt|does|has|hat)\s+(?:there|es|it|sie|das)?\s*{_STILL}(?:have\s+)?(?:any\s+|some\s+)?
        (?:{_GAPS}|{_LUECKEN}) |
    (?:show|list|find|count|zeige?|finde|zähle)\s+(?:me\s+|mir\s+)?(?:all\s+|alle\s+)?
        (?:the\s+|die\s+)?(?:{_GAPS}|{_LUECKEN})
    )(?:\s+(?:still|yet|there|noch|now))*\W*"""
)
#: Words for what is missing, which may be what a column is called.
_NOUNS: Final = re.compile(
    r"(?i)\b(?:gaps?|holes|blanks?|missing|empty|incomplete|lücken|leerstellen|leer)\b"
)
_MOST: Final = 40


def gaps_asked(question: str, table: TableSample) -> Query | None:
    """Return the query for the missing cells of every column; None where that is not asked."""
    if not _ALONE.fullmatch(question) or _names_column(question, table):
        return None
    measures = tuple(Measure("missing", name) for name in [*table.columns][:_MOST])
    return Query(table.source, measures=measures)


def _names_column(question: str, table: TableSample) -> bool:
    """Return whether a column is called by the word for what is missing: holes that are counted."""
    said = {stem(word) for noun in _NOUNS.findall(question) for word in tokens(noun)}
    return not said.isdisjoint(map(stem, table.header_words))
