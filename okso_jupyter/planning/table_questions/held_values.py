"""Held values: rows that have what a column tells, "loans that were returned" or "with a fine".

The weights know the rows without it. So the phrase is cut out, and becomes a condition of what is
left: a date that is there, any value, or an amount that is not 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.column_words import DONE, in_words_of
from okso_jupyter.planning.table_questions.filters import UNDONE
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.stated_values import says_none, says_not_done
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import stem, tokens
from okso_jupyter.tables.query import Filter, Query

_END: Final = r"(?=\W*$|\s+(?:per|to|je|pro|an|(?:for|für|von)(?!\s+\d))\s)"
_THAT: Final = r"(?:,?\s+(?:that|which|who|die|welche))?"
_ALREADY: Final = r"(?:\s+(?:already|so\s+far|by\s+now|yet|schon|bereits|bisher|worden))*"
_ARE: Final = (
    r"(?:(?:have|has|had)\s+been|were|was|are|is|got|have|has|wurden?|worden|sind|ist|haben|hat)"
)
#: Each with the word for what was done.
_DONE_PHRASES: Final = (
    rf"{_THAT}\s+{_ARE}{_ALREADY}\s+{{word}}{_ALREADY}{_END}",
    rf"{_THAT}{_ALREADY}\s+{{word}}{_ALREADY}\s+(?:wurden?|worden|sind|ist|haben|hat){_END}",
)
_HAS: Final = (
    r"(?:with|having|have|has|had|got|received?|paid|(?:had|has|have)\s+to\s+pay|mit|haben|hat|"
    r"hatten?)"
)
_SOME: Final = r"(?:an?|any|some|(?:irgend)?eine?[nmr]?)"
_HELD: Final = re.compile(
    rf"(?i){_THAT}\s+{_HAS}\s+{_SOME}\s+(?P<of>[^\W\d_]+(?:\s+[^\W\d_]+){{0,2}}?){_END}"
)
_ONLY_ROWS: Final = re.compile(
    r"(?i)^\W*(?:(?:which|what|list|show|welche|zeige?|liste)\s+)?(?:(?:me|all|the|our|my|die|alle|mir)"
    r"\s+)*(?P<rows>[^\W\d_]+)\W*$"
)
#: The ending of a German participle: "bezahlte Rechnungen".
_INFLECTED: Final = re.compile(r"(?<=[tn])e[nmrs]?$")
#: Words that a name may have besides: "return date" of returned_on, "phone number" of phone.
_BESIDE_DATE: Final = frozenset(map(stem, ("date", "day", "datum", "tag")))
_BESIDE_TEXT: Final = frozenset(map(stem, ("number", "nummer", "address", "adresse")))
#: What has not come to its end: "loans that are still out".
_LEFT: Final = re.compile(
    rf"(?i){_THAT}(?:\s+(?:is|are|was|were|sind|ist))?\s+(?:still|noch)\s+"
    rf"(?P<state>out|open|pending|outstanding|offen|ausstehend){_END}"
)
#: Before rows that are left out: "without cancelled bookings".
_BUT: Final = re.compile(
    r"(?i)\b(?:without|excluding|except(?:\s+for)?|but|other\s+than|minus|ohne|außer)"
    r"(?:\s+(?:all|any|the|alle[nr]?|die|den))*\s*$"
)
#: Numbers of which 0 is one as any other.
_LEVELS: Final = re.compile(r"(?i)(?:scores?|points?|marks?|balance|punkte?|noten?|saldo)(?![a-z])")
#: What is called off, or asked for again, has not come to its end by that.
_NO_END: Final = re.compile(r"(?i)cancel|abgesagt|storn|gek(?:ü|ue)ndigt|remind|gemahnt|mahnung")
#: Not of those rows, but of when, of a share of all, or whether there are any.
_ASKS_OTHERWISE: Final = re.compile(
    r"(?i)\b(?:when|wann|whether|ob|how\s+(?:long|often)|wie\s+(?:lange|oft)|days?|tagen?|percent|"
    r"percentage|share|proportion|fraction|prozent|anteil|compare\w*|versus|vs)\b|"
    r"^\W*(?:are|is|was|were|has|have|sind|ist|war|wurden?|haben|hat)\b"
)
#: A question without what rows must have, and this as a condition.
_Held = tuple[str, Filter]


def with_held(
    question: str, table: TableSample, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of a question for the rows that have something; () if it names nothing.

    Args:
        question: The question.
        table: The table.
        read: Returns the readings of a question.
    """
    rules = () if _ASKS_OTHERWISE.search(question) else (_done, _left, _had)
    held = next((own for rule in rules if (own := rule(question, table))), None)
    if held is None:
        return ()
    rest, condition = held
    found: list[QueryReading] = []
    for reading in read(_shown(rest, table)):
        query = reading.query
        if (query.source, query.joins) != (table.source, table.made_of.joins) or reading.also:
            return ()
        if condition.comparison == "is present":
            query = _in_its_time(query, condition.column, question, table)
        filters = tuple(each for each in query.filters if not _is_opposed(each, condition))
        if all(each.column != condition.column for each in filters):
            filters = (*filters, condition)
        found.append(replace(reading, query=replace(query, filters=filters)))
    return tuple(found)


def _is_opposed(each: Filter, condition: Filter) -> bool:
    """Return whether a filter says no more than whether the column has something."""
    return each.column == condition.column and each.comparison in {"is present", "is missing"}


def _in_its_time(query: Query, done: str, question: str, table: TableSample) -> Query:
    """Return a query with its times those of what was done: "shipped orders per month".

    A date that the question names stays: "returned loans that were lent in March".
    """
    if table[done].kind != "date":
        return query
    words = re.findall(r"[^\W\d_]+", question.lower())
    # orders are rows, and ordered is a date
    telling = (word for word in words if DONE.fullmatch(word) or stem(word) not in table.stems)
    named = set[str]().union(*map(_stems, telling))
    others = {
        column.name
        for column in table.columns.values()
        if column.kind == "date" and column.name != done and named.isdisjoint(column.stems)
    }

    def moved(name: str) -> str:
        return done if name in others else name

    return replace(
        query,
        filters=tuple(replace(each, column=moved(each.column)) for each in query.filters),
        by=moved(query.by),
        measures=tuple(replace(each, column=moved(each.column)) for each in query.measures),
        order=moved(query.order),
        columns=tuple(map(moved, query.columns)) if query.by else query.columns,
    )


def _done(question: str, table: TableSample) -> _Held | None:
    """Find what was done at a date that a column tells: "were returned", "returned loans"."""
    for word in re.findall(r"[^\W\d_]+", question):
        forms = {word.lower(), _INFLECTED.sub("", word.lower())}
        done = {form for form in forms if DONE.fullmatch(form.removeprefix("zurück"))}
        for column in filter(_has_gaps, table.columns.values()):
            called = {*column.stems, *column.meanings}
            is_meant = any(not _stems(form).isdisjoint(called) for form in done)
            found = _phrase_of(word, question, table) if is_meant else None
            if found and not says_not_done(question, called):
                return _without(found, question), Filter(column.name, "is present")
    return None


def _phrase_of(word: str, question: str, table: TableSample) -> re.Match[str] | None:
    """Return the words that say what was done; a participle may stand beside the rows."""
    for each in _DONE_PHRASES:
        if found := re.search(rf"(?i){each.format(word=word)}", question):
            return found
    amounts = {own for c in table.columns.values() if c.has_numbers for own in c.stems}
    before = re.search(rf"(?i)\b{word}\s+(?=(?P<rows>[^\W\d_]+))", question)
    behind = re.search(rf"(?i)(?<=\b)(?P<rows>[^\W\d_]+)(?P<cut>\s+{word}){_END}", question)
    if before and not _BUT.search(question[: before.start()]):
        return before if not _stems(before["rows"]).isdisjoint(table.stems) else None
    if behind and not _stems(behind["rows"]).isdisjoint({*table.stems, *amounts}):
        return re.compile(rf"(?i)\s+{word}{_END}").search(question, behind.end("rows"))
    return None


def _left(question: str, table: TableSample) -> _Held | None:
    """Find what has not come to its end, where one column alone tells the end."""
    found = _LEFT.search(question)
    if found is None or _is_value(found["state"], table):
        return None
    columns = [*table.columns.values()]
    ends = [*filter(_has_gaps, columns)]
    if len(ends) != 1 or _NO_END.search(ends[0].name) or not _is_end(ends[0], table):
        return None
    # an invoice is open that is not paid, and not where nobody was reminded of it
    if any(column.flags and not UNDONE.keys().isdisjoint(column.meanings) for column in columns):
        return None
    return _without(found, question), Filter(ends[0].name, "is missing")


def without_left(question: str, table: TableSample) -> str:
    """Return a question without "that are still open", where a table tells what is."""
    held = _left(question, table)
    return held[0] if held else question


def _is_end(end: ColumnSample, table: TableSample) -> bool:
    """Return whether dates are never before those of another column, which every row has."""
    starts = (c for c in table.columns.values() if c.kind == "date" and c.name != end.name)
    return any(
        all(
            first and (day is None or first <= day)
            for first, day in zip(start.dates, end.dates, strict=True)
        )
        for start in starts
    )


def _had(question: str, table: TableSample) -> _Held | None:
    """Find what rows have of a column: "with a fine", "have a phone number"."""
    found = _HELD.search(question)
    column = _column_of(found["of"], table) if found else None
    if found is None or column is None or says_none(question, column.stems):
        return None
    condition = _some_of(column)
    return (_without(found, question), condition) if condition else None


def _without(found: re.Match[str], question: str) -> str:
    return f"{question[: found.start()]}{question[found.end() :]}"


def _shown(rest: str, table: TableSample) -> str:
    """Return "show the loans" for "which loans", which alone would ask for their names.

    What a column tells is listed, each once: "which customers" of orders.
    """
    found = _ONLY_ROWS.match(rest)
    if found is None:
        return rest
    said, of_columns = _stems(found["rows"]), {*_column_stems(table)}
    if not said.isdisjoint(table.stems):
        # a column may be called no_show
        return f"{'display' if stem('show') in of_columns else 'show'} the {found['rows']}"
    return rest if said.isdisjoint(of_columns) else f"list the {found['rows']}"


def _column_stems(table: TableSample) -> Iterator[str]:
    for column in table.columns.values():
        yield from column.stems


def _has_gaps(column: ColumnSample) -> bool:
    """Return whether a column tells when something was done, and that it was not done of some."""
    return column.kind == "date" and None in column.present


def _is_value(word: str, table: TableSample) -> bool:
    return any((word.lower(),) in column.values for column in table.columns.values())


def _stems(word: str) -> set[str]:
    said = word.lower()
    spelt = said.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return {stem(form) for form in (said, spelt, *in_english([said]))}


def _column_of(named: str, table: TableSample) -> ColumnSample | None:
    """Return the one column that words name; None if there is none or another one, too."""
    called = {stem(word) for word in tokens(in_words_of(named, table))}
    found = [column for column in table.columns.values() if _is_called(called, column)]
    return found[0] if len(found) == 1 else None


def _is_called(called: set[str], column: ColumnSample) -> bool:
    """Return whether words name a column."""
    beside = _BESIDE_DATE if column.kind == "date" else _BESIDE_TEXT
    return called <= {*column.stems, *beside} and not called.isdisjoint(column.stems)


def _some_of(column: ColumnSample) -> Filter | None:
    """Return the condition that a column has something; None where every row has, or says yes."""
    if column.flags is not None:
        return None
    # 0 degrees are a temperature, and a balance may be below 0
    is_level = any(pattern.search(column.name) for pattern in (NEVER_SUMMED, _LEVELS))
    is_level = is_level or any(number is not None and number < 0 for number in column.numbers)
    if column.has_numbers and 0.0 in column.numbers and not is_level:
        return Filter(column.name, ">", 0)
    return Filter(column.name, "is present") if None in column.present else None
