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
from okso_jupyter.planning.table_questions.words import (
    STOP,
    header_words,
    row_stems,
    stem,
    tokens,
)
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
#: What never happened, or is not there at all.
_NEVER: Final = re.compile(
    r"(?i)\b(?:never|nie(?:mals)?|noch\s+nicht|not\b.*\b(?:yet|ever)|n['’]t\b.*\b(?:yet|ever))\b|"
    r"\b(?P<thing>noch\s+keine?[nrs]?|(?:has|have|had|got)\s+no|haben\s+keine?[nrs]?|"
    r"hat\s+keine?[nrs]?|without(?:\s+any)?|ohne)\b"
)
#: How things are used, of which the table that refers to them tells: as tokens.
_USES: Final = frozenset(
    "used worn tried tested visited booked attended played sung read watched seen heard ridden "
    "driven flown sailed raced climbed eaten drunk cooked baked served rented hired borrowed lent "
    "chosen taken benutzt verwendet genutzt getragen probiert getestet besucht gebucht gespielt "
    "gesungen gelesen gesehen gehort gefahren geritten geflogen gegessen getrunken gekocht "
    "gebacken gemietet ausgeliehen geliehen gewahlt genommen".split()
)
_COUNTING: Final = frozenset("how many number count wie viele anzahl".split())
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
        name = naming_column(self.asked, self.key)
        is_named = self.asked[name].names_rows or self.asked[self.key].kind == "number"
        return name if is_named else self.key


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


def never_asked(request: str, tables: Callable[[], Sequence[TableSample]]) -> Query | None:
    """Return the query for rows that something never happened to: "which shoes were never worn".

    It is likely meant, where one table alone refers to these rows; None for other requests.

    Args:
        request: The request.
        tables: Returns the tables of the folder; files are read only where the words ask for it.
    """
    if not _NEVER.search(request) or _MORE.search(request):
        return None
    found = list(_never(request, tables()))
    return _without_rows(found[0]) if len(found) == 1 else None


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
                yield _unmatched_of(request, asked, other, join)


def _unmatched_of(request: str, asked: TableSample, other: TableSample, join: Join) -> Unmatched:
    key = join.other or join.column
    back = Join(other.source, key, join.column if join.other else "")
    return Unmatched(asked, other, back, bool(_COUNTS.search(request)))


def _never(request: str, tables: Sequence[TableSample]) -> Iterator[Unmatched]:
    """Yield the pairs of tables of a request that names the first and says "never": "never worn".

    What never happened to a row is what the one table tells that refers to it. The rows may be
    called by the key that the other has of them, and what is missing by a column of that.
    """
    words = tokens(request)
    never = _NEVER.search(request)
    if never is None:
        return
    for asked in tables:
        pairs = [(t, join) for t in tables if t is not asked and (join := reference(t, asked))]
        called = [pair for pair in pairs if _place_of(pair[0], words) is not None]
        pairs = called or pairs
        if len(pairs) != 1 or _says_value(words, (asked, pairs[0][0])):
            continue
        other, join = pairs[0]
        names = [*row_stems(asked.source), join.other or join.column]
        is_called = _place_of(asked, words) is not None
        is_called = is_called or _place_of_name(names[-1], words) is not None
        if is_called and _is_what_never_was(request, never, asked, other, names):
            yield _unmatched_of(request, asked, other, join)


def _is_what_never_was(
    request: str, never: re.Match[str], asked: TableSample, other: TableSample, names: Sequence[str]
) -> bool:
    """Return whether a request says nothing but the rows of a table, and what never was.

    That is one word, which no column or cell of the first table has: "never paid" may be one.
    """
    own = {word for name in names for word in header_words(name)}
    said = [word for word in tokens(request) if not _is_plain(word)]
    left = [word for word in said if not any(are_akin(word, name) for name in own)]
    known = {word for column in asked.columns.values() for word in header_words(column.name)}
    texts = (c for c in asked.columns.values() if c.kind == "text")
    known |= {word for column in texts for value in column.places for word in value}
    if len(left) != 1 or any(are_akin(left[0], word) for word in known):
        return False
    # a column of the other table, or its name; what is not returned yet may well be lent
    named = [c.name for c in other.columns.values() if c.kind != "date" and not c.flags]
    things = [header_words(name) for name in (*named, PurePosixPath(other.source).stem)]
    is_of_other = any(_begins(left[0], word) for words in things for word in words)
    return is_of_other or (not never["thing"] and left[0] in _USES)


def _begins(word: str, name: str) -> bool:
    """Return whether a word is one of a name, or its first part: Besucher of `besuchertage`."""
    root = word[: max(_SHORTEST_VALUE, len(word) - 1)]
    return are_akin(word, name) or (len(word) > _SHORTEST_VALUE and name.startswith(root))


def _is_plain(word: str) -> bool:
    return word in _PLAIN or _NONE.fullmatch(word) is not None or word in _COUNTING


def _place_of(table: TableSample, words: Sequence[str]) -> int | None:
    """Return the place where all words of a table's name are said; None if one is not.

    A verb says it as well: "never rented".
    """
    place = _place_of_name(PurePosixPath(table.source).stem, words)
    called = row_stems(table.source)
    if place is None and len(header_words(PurePosixPath(table.source).stem)) == 1:
        # umlauts may be two letters in the name of a file
        place = next((at for at, word in enumerate(words) if stem(word) in called), None)
    return place


def _place_of_name(name: str, words: Sequence[str]) -> int | None:
    """Return the first place of the words of a name, if all of them are said."""
    own = header_words(name)
    places = [
        next((at for at, word in enumerate(words) if are_akin(word, part)), None) for part in own
    ]
    known = [place for place in places if place is not None]
    return min(known) if known and len(known) == len(own) else None


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
