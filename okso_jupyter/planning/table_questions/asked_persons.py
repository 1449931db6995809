"""Asked persons: the column of those whom "who" asks for.

It is named by the verb ("who tasted most" is the taster), by who does such a thing (claims are
filed by customers and handled by clerks), or is the only one that holds persons.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import (
    DONE,
    NUMBERINGS,
    header_words,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Query

_WHO: Final = re.compile(r"(?i)^\W*(?:who|wer)\b")
#: Everybody is asked for.
_ALL: Final = re.compile(
    r"(?i)^\W*(?:who|wer)\s+(?:is|are|was|were|ist|sind|war|waren)\s+"
    r"(?:all|alle|the|our|my|d(?:ie|er|as)|unsere?|in|there|it)\b"
)
#: What a column of names alone is called.
_NAMES: Final = frozenset({"name", "names", "person", "fullname", "full", "who", "wer"})
#: What the columns of those who do something are called by behind the verb.
_AGENT: Final = re.compile(r"(?!\w*ment$)\w{3,}(?:er|or|eur|ent|ant|ist)(?:in)?")
_BY: Final = frozenset({"by", "von", "durch"})
#: Those for whom something is done, and those who do it.
_CLIENTS: Final = frozenset(
    map(
        stem,
        (
            "customer client guest member tenant owner holder policyholder buyer patient applicant "
            "claimant subscriber borrower reader donor viewer bidder passenger student kunde "
            "kundin gast mieter mitglied besitzer kaufer antragsteller versicherter patient leser "
            "spender schuler teilnehmer participant"
        ).split(),
    )
)
_STAFF: Final = frozenset(
    map(
        stem,
        (
            "adjuster agent clerk employee staff worker technician handler assignee manager vet "
            "doctor driver waiter teacher trainer coach mechanic engineer operator seller "
            "salesperson consultant nurse inspector reviewer editor tester carer sachbearbeiter "
            "bearbeiter berater betreuer mitarbeiter techniker verkaufer arzt tierarzt fahrer "
            "lehrer monteur kellner"
        ).split(),
    )
)
#: What either of them does with what the rows are.
_DONE_BY_CLIENTS: Final = frozenset(
    "filed submitted bought ordered booked paid reserved rented borrowed requested reported made "
    "claimed offered bid donated eingereicht gemeldet bestellt gebucht bezahlt gekauft gemietet "
    "ausgeliehen reserviert beantragt gespendet abgegeben gemacht".split()
)
_DONE_BY_STAFF: Final = frozenset(
    "handled processed treated served repaired managed supervised examined fixed assessed "
    "approved closed resolved bearbeitet betreut behandelt bedient repariert gepruft untersucht "
    "genehmigt erledigt".split()
)


def of_persons(
    question: str, readings: Sequence[QueryReading], table: TableSample
) -> tuple[QueryReading, ...]:
    """Return the readings of a question for persons with the column that holds them.

    Args:
        question: The question.
        readings: Its readings, best first.
        table: Its table.
    """
    if not _WHO.search(question):
        return tuple(readings)
    person = column_of_persons(question, table)
    if not person:
        return tuple(readings)
    is_told = bool(_told(question, _texts(table)))
    changed: dict[Query, QueryReading] = {}
    for reading in readings:
        query = _of_person(reading.query, person, table, is_told=is_told)
        named = replace(reading, query=query)
        # who got a discount is not everybody
        is_every = query == Query(query.source, columns=(person,), distinct=True)
        is_wrong = is_every and not _ALL.search(question)
        changed.setdefault(query, less_sure(named, UNANSWERED) if is_wrong else named)
    return tuple(changed.values())


def column_of_persons(question: str, table: TableSample) -> str:
    """Return the column of those whom a question asks for; "" where none or several may be."""
    texts = _texts(table)
    told = _told(question, texts)
    if not told:
        told = [c for c in texts if holds_persons(c)]
        named = [c for c in told if set(header_words(c.name)) <= _NAMES]
        told = named if len(named) == 1 else told
    return told[0].name if len(told) == 1 else ""


def holds_persons(column: ColumnSample) -> bool:
    """Return whether a column is called by persons: the name of a pet is none of them."""
    own = {stem(word) for word in header_words(column.name) if word not in NUMBERINGS}
    if stem("name") in own:
        rest = own - {stem("name"), "first", "last", "full", "family", "vor", "nach"}
        return not rest or not rest.isdisjoint(PERSONS | _CLIENTS | _STAFF)
    return not column.meanings.isdisjoint(PERSONS | _CLIENTS | _STAFF)


def _texts(table: TableSample) -> list[ColumnSample]:
    """Return the columns of texts that neither number rows nor say yes and no."""
    return [
        column
        for name, column in table.columns.items()
        if column.kind == "text" and not column.flags and name not in table.numberings
        if NUMBERINGS.isdisjoint(header_words(name))
    ]


def _told(question: str, texts: Sequence[ColumnSample]) -> list[ColumnSample]:
    """Return the columns that the verb of a question tells."""
    words = [word for word in tokens(question) if DONE.fullmatch(word)]
    words += [w for w in tokens(question) if w in _DONE_BY_CLIENTS | _DONE_BY_STAFF]
    for done, persons in ((_DONE_BY_CLIENTS, _CLIENTS), (_DONE_BY_STAFF, _STAFF)):
        told = [c for c in texts if not persons.isdisjoint(c.meanings) and holds_persons(c)]
        if told and not done.isdisjoint(words):
            return told
    # what was paid by card has no payer there
    return [column for column in texts if _is_agent(column, words)]


def _is_agent(column: ColumnSample, words: Sequence[str]) -> bool:
    """Return whether a column is called by who does what a verb says: "Verkoster", "Led by"."""
    *_, last = header = header_words(column.name) or ("",)
    if last in _BY and len(header) > 1:
        return any(are_akin(word, header[-2]) for word in words)
    return bool(_AGENT.fullmatch(last)) and any(_has_verb(word, last) for word in words)


def _has_verb(word: str, agent: str) -> bool:
    return word != agent and are_akin(word, agent)


def _of_person(query: Query, person: str, table: TableSample, *, is_told: bool) -> Query:
    """Return a query for the persons where it shows, or groups by, another column of texts."""
    if person in query.names or any(each.column == person for each in query.filters):
        return query
    shown = query.by or next(iter(query.columns), "")
    is_one = len(query.columns) <= 1 and shown in table.columns
    if not is_one or (query.columns and query.columns != (shown,)):
        return query
    column = table[shown]
    # who is asked for is no number, and may be another person where no verb tells whom
    if column.kind != "text" or query.combine or (holds_persons(column) and not is_told):
        return query
    if query.by:
        columns = (person,) if query.columns else ()
        order = person if query.order == query.by else query.order
        return replace(query, by=person, columns=columns, order=order)
    return query if query.measures else replace(query, columns=(person,))
