"""Two tables: requests that name two tables of a folder, and what one row has to do with the other.

"Join orders and customers" shows rows of both side by side; "Which customers never ordered?" shows
the rows of one that no row of the other refers to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.table_questions.beside_asked import naming_column
from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import STOP, header_words, tokens
from okso_jupyter.tables.joins import joined_columns
from okso_jupyter.tables.query import Filter, Join, Measure, Query

_JOINS: Final = re.compile(
    r"(?i)^\W*(?:please\s+)?(?:inner\s+|left\s+)?(?:join|merge|combine|link|verbinde|verknüpfe)\s+"
    r"(?:the\s+)?(?:tables?\s+|files?\s+)?(?P<one>[\w./-]+)\s+(?:and|with|to|und|mit)\s+(?:the\s+)?"
    r"(?P<other>[\w./-]+?)(?:\s+tables?|\s+files?)?"
    r"(?:\s+(?:on|by|using|over|via|über)\s+(?:the\s+)?(?P<column>\w+)(?:\s+column)?)?\W*$"
)
_NONE: Final = re.compile(
    r"(?i)\b(?:never|no|not|none|without|haven't|hasn't|didn't|don't|doesn't|aren't|isn't|weren't|"
    r"wasn't|nothing|nie|niemals|kein\w*|nicht|nichts|ohne)\b"
)
_COUNTS: Final = re.compile(r"(?i)\b(?:how many|number of|count|wie viele|anzahl)\b")
_SHORTEST_VALUE: Final = 4
#: More than two tables, or a filter, is asked about: the rows of one table alone do not tell it.
_MORE: Final = re.compile(
    r"(?i)\d|\b(?:more|less|than|most|least|only|in|since|before|after|during|last|this|per|by|each|"
    r"average|total|and|or|but)\b"
)

#: Words that narrow neither table, beside those that are never a name: as tokens.
_PLAIN: Final = STOP | frozenset(
    "all any anything ever yet so far still even once actually please show list find tell "
    "us appear appears listed uns "
    "give get got make made place placed receive received take took taken can could would been "
    "being their them they those these whose if not row rows record records entry entries table "
    "tables file files name names t "
    "alle allen bisher jemals je schon noch uberhaupt einzige einzigen einen haben hat hatte "
    "hatten wurde wurden werden worden bitte zeig zeige nenne mir gibt es sie etwas bei zeile "
    "zeilen eintrag eintrage tabelle datei namen gar".split()
)
#: The name of a file with what leads to it: its words name the table.
_FILE: Final = re.compile(
    r"(?i)\b(?:(?:in|from|of|aus|von|der|in\s+der)\s+)?(?:(?:file|datei|table|tabelle)\s+)?"
    r"(?P<name>[\w-]+)\.(?:csv|tsv)\b"
)


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Rows of one table that no row of another one refers to.

    Attributes:
        asked: The table of the rows.
        other: The table that refers to it.
        join: How that stands beside the first one.
        is_count: Whether their number is asked for.
    """

    asked: TableSample
    other: TableSample
    join: Join
    is_count: bool

    @property
    def key(self) -> str:
        """The column of the first table that the other one refers to."""
        return self.join.column

    @property
    def naming(self) -> str:
        """The column that tells what a row of the first table is."""
        return naming_column(self.asked, self.key)


def two_tables_asked(request: str, tables: Callable[[], Sequence[TableSample]]) -> Query | None:
    """Return the query of a request that is about two tables; None if it is about anything else.

    Args:
        request: The request.
        tables: Returns the tables of the folder; files are read only where the words ask for it.
    """
    joined = _JOINS.match(request)
    if joined:
        return _joined(joined, tables())
    found = unmatched_asked(request, tables)
    return _without_rows(found) if found else None


def unmatched_asked(request: str, tables: Callable[[], Sequence[TableSample]]) -> Unmatched | None:
    """Return the two tables of a request for rows that no row refers to; None for any other.

    Args:
        request: The request.
        tables: Returns the tables of the folder; files are read only where the words ask for it.
    """
    rest = _FILE.sub(" ", request)
    if not _NONE.search(rest) or _MORE.search(rest):
        return None
    found = list(_unmatched(request, tables()))
    return found[0] if len(found) == 1 and not _narrows(rest, found[0]) else None


def _narrows(request: str, found: Unmatched) -> bool:
    """Return whether a request says more than the two tables: "no paid job", "with a fee"."""
    names = [
        name
        for table in (found.asked, found.other)
        for name in header_words(PurePosixPath(table.source).stem)
    ]
    left = tokens(_COUNTS.sub(" ", _NONE.sub(" ", request)))
    return any(
        word not in _PLAIN and not any(are_akin(word, name) for name in names) for word in left
    )


def _joined(found: re.Match[str], tables: Sequence[TableSample]) -> Query | None:
    """Return the query that shows two tables side by side; None if they have nothing in common."""
    one, other = (_table(found[name], tables) for name in ("one", "other"))
    if one is None or other is None:
        return None
    column = found["column"]
    if column:
        has_both = column in one.columns and column in other.columns
        return Query(one.source, joins=(Join(other.source, column),)) if has_both else None
    for base, beside in ((one, other), (other, one)):
        join = reference(base, beside)
        if join is not None:
            return Query(base.source, joins=(join,))
    return None


def _table(name: str, tables: Sequence[TableSample]) -> TableSample | None:
    """Return the table that a name or path means; None if there is none, or several."""
    wanted = name.strip(".").lower()
    found = [
        table
        for table in tables
        if wanted
        in {
            table.source.lower(),
            PurePosixPath(table.source).name.lower(),
            PurePosixPath(table.source).stem.lower(),
        }
    ]
    return found[0] if len(found) == 1 else None


def _unmatched(request: str, tables: Sequence[TableSample]) -> Iterator[Unmatched]:
    """Yield the pairs of tables that a request names, of which the second refers to the first."""
    words = tokens(request)
    named = [(table, at) for table in tables if (at := _place_of(table, words)) is not None]
    for asked, first in named:
        for other, behind in named:
            join = reference(other, asked) if first < behind else None
            if join is not None and not _says_value(words, (asked, other)):
                key = join.other or join.column
                back = Join(other.source, key, join.column if join.other else "")
                yield Unmatched(asked, other, back, bool(_COUNTS.search(request)))


def _place_of(table: TableSample, words: Sequence[str]) -> int | None:
    """Return the place where all words of a table's name are said; None if one is not.

    A verb says it as well: "never rented".
    """
    name = header_words(PurePosixPath(table.source).stem)
    places = [
        next((at for at, word in enumerate(words) if are_akin(word, own)), None) for own in name
    ]
    known = [place for place in places if place is not None]
    return min(known) if known and len(known) == len(name) else None


def _says_value(words: Sequence[str], tables: Sequence[TableSample]) -> bool:
    """Return whether a request names a value of the tables: it asks for fewer rows."""
    said = f" {' '.join(words)} "
    texts = (c for table in tables for c in table.columns.values() if c.kind == "text")
    values = (" ".join(value) for column in texts for value in column.places)
    return any(len(value) >= _SHORTEST_VALUE and f" {value} " in said for value in values)


def _without_rows(found: Unmatched) -> Query | None:
    """Return the query for the rows of a table without a row of another one."""
    asked, other = found.asked, found.other
    columns = joined_columns(list(asked.columns), [(found.join, list(other.columns))])
    cells = [column.cells for column in other.columns.values()]
    beside = next((c.name for c in columns if c.table and all(map(str.strip, cells[c.place]))), "")
    if not beside:
        return None  # what is missing there may be so in a row that refers
    filters = (Filter(beside, "is missing"),)
    if found.is_count:
        return Query(asked.source, filters, measures=(Measure("count"),), joins=(found.join,))
    return Query(asked.source, filters, columns=(found.naming,), joins=(found.join,))
