"""Beyond queries: what a question says that no query can, so that a reading is hardly right.

"How many customers had more than 6 repairs" is a number of groups, and "who spent the most" is no
question of a table without money.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import no_span
from okso_jupyter.planning.table_questions.computed_words import CHARGES, MONEY
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.held_phrases import stems_of
from okso_jupyter.planning.table_questions.recognition import HOW_OFTEN
from okso_jupyter.planning.table_questions.said_bounds import said_bound
from okso_jupyter.planning.table_questions.spoken_parts import WEEKDAYS
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.word_meanings import header_meanings
from okso_jupyter.planning.table_questions.words import (
    MONTHS,
    NO_VALUES,
    STOP,
    QuestionWords,
    header_stems,
    row_stems,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Query

#: "Show at most 5 repairs" is no condition on groups.
_SHOWN: Final = re.compile(r"(?i)\W*(?:show|list|give|display|zeige?|liste)(?:\s+(?:me|mir))?\s+")
_SPENT: Final = re.compile(r"\b(?:spen[dt]s?|spending|revenue|turnover|ausgegeben|umsatz)\b")
#: Money, or a share, which a number of rows is not.
_NO_COUNT: Final = re.compile(
    r"(?i)\b(?:takings|einnahmen|(?:most|least|how\s+much)\s+(?:money|cash)|"
    r"am\s+(?:meisten|wenigsten)\s+geld|percent(?:age)?|prozent)\b"
)
#: What money was spent on: "on holidays", "für den Urlaub".
_SPENT_ON: Final = re.compile(
    r"(?i)\b(?:spen[dt]|spending|pa(?:y|id)|bezahlt|ausgegeben)\b(?:\s+(?:in\s+)?(?:total|altogether))?\s+(?:on|for)\s+"
    r"(?:(?:the|our|my|any|new)\s+)*(?!(?:average|each|every\w*|all|it|them|th[ai]t|this|these|what|"
    r"which|things?|items?|orders?|purchases?)\b)(?P<thing>[^\W\d_]+)|"
    r"\bfür\s+(?:(?:d(?:en|ie|as)|unser\w*|mein\w*|neue\w*)\s+)?(?-i:(?P<ding>[A-ZÄÖÜ][^\W\d_]+))"
    r".*\b(?:ausgegeben|bezahlt|gezahlt)\b"
)
#: How a match ended, which few tables tell in one column.
_OUTCOME: Final = re.compile(
    r"(?i)\b(?:did|do|have|has|haben|hat)\b.*\b(?P<verb>win|won|lose|lost|draw|drawn|gewonnen|verloren)\b|"
    r"\bended?\s+in\s+an?\s+(?P<noun>draw|win|tie|defeat|loss)\b|"
    r"\b(?:we|they|i)\s+(?P<past>won|lost|drew)\b|"
    r"\bwere\s+(?P<done>won|lost|drawn)\b|\bwurden?\b.*\b(?P<getan>gewonnen|verloren)\b"
)
#: "When did Luna last come in" is of the last of several times, and not of her one birthday.
_WHEN_LAST: Final = re.compile(
    r"(?i)^\W*(?:when|wann)\b.*\b(?P<last>last|latest|first|zuletzt|letzte\w*|erste\w*)\b"
)
#: A day, which may have a name that no calendar tells: "since Easter", "bis zum Umzug".
_SINCE: Final = re.compile(
    r"(?i)\b(?:since|until|seit|bis)\s+(?:(?:the|last|our|my|de[mnr]|letzte[nrm]?|unsere[mnr]?|zum)\s+)*"
    r"(?!when|wann|today|present|start|beginning|heute|jetzt|anfang|beginn)(?P<when>[^\W\d_]{4,}|\d[\w.]*)"
)
#: Words for one end of a match, in cells too.
_SAME_ENDS: Final = tuple(
    frozenset(words.split())
    for words in (
        "win won wins victory w s sieg gewonnen",
        "lose lost loss losses defeat l n niederlage verloren",
        "draw drawn drew draws tie tied d u unentschieden",
    )
)
#: Who did not do something is among those without such a row.
_DID_NOT: Final = re.compile(
    r"(?i)\b(?:did|do|does|has|have|had)(?:n['’]?t|\s+not)\b|\b(?:hat|haben|hatten?)\b.*\bnicht\b|"
    r"\b(?:nobody|no\s+one|niemand)\b"
)
_AFFIRMS: Final = frozenset({"=", "between", "in", "contains"})
#: What has not come to an end: "members who are still here".
_STILL: Final = re.compile(
    r"(?i)\b(?:is|are|was|were|sind|ist|waren?)\s+(?:immer\s+)?(?:still|noch)\s+"
    r"(?!(?:not|nicht|to|zu)\b)(?P<state>[^\W\d_]+)"
)
#: A question for a length of time, and what a column of such lengths is called.
_HOW_MUCH_TIME: Final = re.compile(
    r"(?i)\b(?:how\s+much\s+time|how\s+many\s+(?:hours|minutes|days|weeks)|wie\s*viel\s+zeit|"
    r"wie\s*viele\s+(?:stunden|minuten|tage|wochen))\b"
)
_TIMES: Final = frozenset(
    map(
        stem,
        "time hours minutes seconds days weeks h min mins hrs duration length zeit stunden "
        "minuten sekunden tage wochen dauer".split(),
    )
)
#: What is spent beside money.
_TIME: Final = re.compile(
    r"\b(?:times?|hours?|minutes?|days?|weeks?|zeit|stunden?|minuten?|tage?)\b"
)


def beyond(question: str, query: Query, table: TableSample) -> str:
    """Return what a question says that a query cannot, or does not, take up; "" if nothing.

    Args:
        question: The question.
        query: Its best reading.
        table: The table.
    """
    found = _WHEN_LAST.search(question)
    last = found["last"] if found and not _has_end(query) else ""
    return (
        _many_rows(question, query, table)
        or _counted(question, query)
        or _spent_on(question, query, table)
        or _money(question, query)
        or _time(question, query, table)
        or no_span(QuestionWords(question))
        or _denied(question, query, table)
        or _once(question, query, table)
        or _still(question, query, table)
        or _outcome(question, query, table)
        or _since(question, query)
        or last
    )


def _denied(question: str, query: Query, table: TableSample) -> str:
    """Return what a question denies where the reading has no such condition: "did not visit"."""
    found = _DID_NOT.search(question)
    columns = [table.columns.get(each.column) for each in query.filters]
    flags = [column.flags[1] if column and column.flags else None for column in columns]
    is_taken_up = any(
        each.comparison not in _AFFIRMS or each.value == no
        for each, no in zip(query.filters, flags, strict=True)
    )
    return "" if found is None or is_taken_up else found[0]


def _still(question: str, query: Query, table: TableSample) -> str:
    """Return "still out" where no condition of the reading is of what has not come to an end."""
    found = _STILL.search(question)
    if found is None or found["state"].lower() in NO_VALUES:
        return ""
    columns = [table.columns.get(each.column) for each in query.filters]
    if any(each.comparison == "is missing" for each in query.filters) or any(
        column is not None and column.flags for column in columns
    ):
        return ""  # what is not paid is still outstanding
    said = stems_of(found["state"])
    told = (f"{each.column} {each.value}" for each in query.filters)
    return found[0] if all(said.isdisjoint(header_stems(words)) for words in told) else ""


def _outcome(question: str, query: Query, table: TableSample) -> str:
    """Return how a match ended where no column and no condition of the reading tells it."""
    found = _OUTCOME.search(question)
    if found is None:
        return ""
    word = next(filter(None, found.groups())).lower()
    said = next((own for own in _SAME_ENDS if word in own), frozenset((word,)))
    told = [*table.columns, *(f"{each.column} {each.value}" for each in query.filters)]
    return found[0] if all(said.isdisjoint(tokens(words)) for words in told) else ""


def _since(question: str, query: Query) -> str:
    """Return "since Easter" where no condition of the reading is of a day."""
    found = _SINCE.search(question)
    said = stem(found["when"].lower()) if found else ""
    is_known = any(
        not isinstance(each.value, str) or any(c.isdigit() for c in each.value) or each.part
        for each in query.filters
    )
    is_column = any(said in header_stems(name) for name in query.names)
    return found[0] if found and not (is_known or is_column) else ""


def _once(question: str, query: Query, table: TableSample) -> str:
    """Return "how often" where the rows counted are of one name, which each has once."""
    found = HOW_OFTEN.search(question)
    columns = [table.columns.get(each.column) for each in query.filters if each.comparison == "="]
    is_of_one = any(column is not None and column.names_rows for column in columns)
    counts = any(measure.function == "count" for measure in query.measures)
    return found[0] if found and counts and is_of_one else ""


def _has_end(query: Query) -> bool:
    """Return whether a query is of a first or last row, or of an end of its dates."""
    ends = any(measure.function in {"minimum", "maximum"} for measure in query.measures)
    return ends or bool(query.order) or query.limit == 1


def _many_rows(question: str, query: Query, table: TableSample) -> str:
    """Return the number of rows that groups are asked for which have it: "more than 6 repairs"."""
    said = said_bound(question)
    if said is None or said.function or query.bounds or _SHOWN.fullmatch(f"{said.before} "):
        return ""
    phrase = question[len(said.before) : len(question) - len(said.behind)].strip()
    if said.is_of_different or not said.noun:
        return phrase
    nouns = {stem(word) for word in tokens(said.noun)}
    columns = [c for c in table.columns.values() if c.has_numbers and not c.is_key]
    if any(not nouns.isdisjoint(column.meanings) for column in columns):
        return ""
    sources = [table.source, *(join.source for join in table.made_of.joins)]
    rows = {own for source in sources for own in row_stems(source)}
    return "" if rows.isdisjoint(nouns) else phrase


def _counted(question: str, query: Query) -> str:
    """Return the word for money or a share where the reading only counts rows."""
    found = _NO_COUNT.search(question)
    is_count = [measure.function for measure in query.measures] == ["count"]
    return found[0] if found and is_count else ""


def _spent_on(question: str, query: Query, table: TableSample) -> str:
    """Return "spend on holidays" where the reading adds up what was spent on anything."""
    found = _SPENT_ON.search(question)
    thing = (found["thing"] or found["ding"]).lower() if found else ""
    if not thing or thing in STOP or thing in MONTHS or not query.measures:
        return ""
    said = {*stems_of(thing), stem(thing)}
    sources = [table.source, *(join.source for join in table.made_of.joins)]
    called = [*table.columns, *(" ".join(row_stems(source)) for source in sources)]
    is_called = any(not said.isdisjoint(header_stems(own)) for own in called)
    # groceries may be called otherwise in the cells
    is_value = any(not each.part and _is_text(each.value) for each in query.filters)
    is_day = not WEEKDAYS.keys().isdisjoint({thing, thing.removesuffix("s")})
    return found[0] if found and not (is_called or is_value or is_day) else ""


def _is_text(value: object) -> bool:
    """Return whether a condition is of a text, or of several."""
    return isinstance(value, str) or (isinstance(value, tuple) and isinstance(value[0], str))


def _money(question: str, query: Query) -> str:
    """Return the word for what was spent or earned where the reading is of no money."""
    asked = " ".join(in_english(tokens(question)))
    found = _SPENT.search(asked)
    is_money = (not (MONEY | CHARGES).isdisjoint(header_meanings(name)) for name in query.names)
    return found[0] if found and not (_TIME.search(asked) or any(is_money)) else ""


def _time(question: str, query: Query, table: TableSample) -> str:
    """Return "how much time" where it is spent, and the reading adds up something else."""
    found = _HOW_MUCH_TIME.search(question)
    if found is None or not _SPENT.search(" ".join(in_english(tokens(question)))):
        return ""
    columns = [table.columns.get(measure.column) for measure in query.measures]
    lengths = (c and (c.clock_length or not _TIMES.isdisjoint(c.meanings)) for c in columns)
    return "" if any(lengths) else found[0]
