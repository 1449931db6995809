"""Stated subjects: of whom, of what and of which date a question asks, where it says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import PRICES, measured
from okso_jupyter.planning.table_questions.computed_words import MONEY, QUANTITIES
from okso_jupyter.planning.table_questions.flag_filters import UNDONE
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.stated_values import says_not_done, stated_comparisons
from okso_jupyter.planning.table_questions.table_sample import FLAGS
from okso_jupyter.planning.table_questions.word_meanings import header_meanings
from okso_jupyter.planning.table_questions.words import (
    NEGATIONS,
    header_stems,
    header_words,
    is_called,
    stem,
    tokens,
)
from okso_jupyter.tables.query import Measure, Query

_WHO: Final = re.compile(r"^(?:who|whose)\b")
#: Stems of the names of columns that tell who.
PERSONS: Final = frozenset(
    map(
        stem,
        (
            "name person people author writer member customer client employee user owner driver "
            "player student teacher seller buyer patient doctor artist singer director actor "
            "winner candidate passenger manager agent guest worker rider runner borrower tenant "
            "speaker contact colleague reader donor autor kunde kundin mitglied mitarbeiter "
            "spieler schuler leser spender"
        ).split(),
    )
)
#: What asks for one measure; "how much" alone may ask for money, or for a quantity.
_HOW: Final = re.compile(r"^how (?!many\b|much\b|often\b)|^how much .*\bweigh")
#: "How much do I spend per month" asks for sums of money.
_SPENT: Final = re.compile(
    r"^how much (?:(?:did|do|does|have|has) )?(?:i|we|they|he|she) (?:spen[dt]|pa(?:y|id)|"
    r"earn(?:ed)?)\b(?!.*\b(?:average|mean|median|most|least|max\w*|min\w*)\b)"
)
#: "Expenses by category" are parts of all that was spent.
_SPENT_BY: Final = re.compile(
    r"(?i)\b(?:expenses?|expenditures?|spending|costs|income|earnings|takings|donations?|ausgaben?|"
    r"kosten|einnahmen?|spenden?)\b.*\b(?:by|per|nach|pro|je|each)\b"
)
_NO_SUM: Final = re.compile(
    r"(?i)\b(?:number|count|how many|anzahl|average|mean|median|durchschnitt\w*|mittlere\w*|"
    r"\w{2,}est|m(?:ax|in)imum|max|min)\b"
)
_HOW_OFTEN: Final = re.compile(r"^(?:how often|how many times|wie oft)\b")
_HOW_MANY: Final = re.compile(r"^how many\b")
_DIFFERENT: Final = re.compile(
    r"^(?:how many|(?:what is )?the number of|number of|count(?: the)?|wie viele) "
    r"(?:different|distinct|unique|verschiedene\w*) (?P<named>\w+)"
)
_TOGETHER: Final = re.compile(
    r"^how (?:many|much) (?P<named>\w+)\b.*\b(?:together|altogether|combined|overall|in total|"
    r"insgesamt|zusammen)\b"
)
_SOLD: Final = re.compile(
    r"^(?:(?:the )?(?:number|amount) of )?(?P<named>\w+) (?:sold|bought|ordered|produced|used|made|"
    r"delivered|consumed) (?:per|by|(?:for|in) (?:each|every))\b"
)
_BOUGHT: Final = re.compile(
    r"^how (?:many|much) (?!different|distinct|unique)(?P<named>\w+)(?: \w+){0,3}? "
    r"(?:did|do|does|have|has) (?:the )?\w+ "
    r"(?:buy|bought|sell|sold|order|ordered|use|used|consumed?)\b"
)
#: A statistic of what a column is called: "the total number of passengers", "the average fare".
_TOTAL_OF: Final = re.compile(
    r"\b(?:(?:total|sum|overall)(?: up)?|add up) "
    r"(?:number |amount )?(?:of )?(?:all )?(?:the )?(?P<named>\w+)"
)
_MEAN_OF: Final = re.compile(
    r"\b(?:average|mean) (?:number |amount )?(?:of )?(?:the )?(?P<named>\w+)"
)
#: The share of rows that a column of 1 and 0 says of: "the survival rate".
_RATE: Final = re.compile(r"\b(?P<named>\w+) rates?\b")
#: What was done, or is so, of which a column may say yes or no.
_DONE: Final = re.compile(
    r"\b(?:(?:have|has|had|is|are|was|were)(?:nt?)?|been|already|i|we|they|who|that|which)"
    r"(?: (?:already|been|i|we|they|not|t|yet))* (?P<named>\w+)"
)
_YES: Final = frozenset(yes for yes, _ in FLAGS)
_NO: Final = frozenset(no for _, no in FLAGS)
#: What is counted by rows, whatever is bought or sold.
DEALS: Final = frozenset(
    map(stem, "orders sales purchases transactions deliveries shipments invoices times".split())
)
#: Names of columns whose values are added up by nobody.
NEVER_SUMMED: Final = re.compile(
    r"(?i)[%°]|(?<![^\W\d_])(?:percent\w*|pct|prozent|temp|temperatur\w*|rate|ratio|index|pace|speed|"
    r"geschwindigkeit|humidity|(?:luft)?feuchte|rating|bewertung|grade|gpa|bmi|age|alter|year|yr|"
    r"jahr|vintage|jahrgang|baujahr|(?:unit|single)[ _]price|st(?:ü|ue)ckpreis|einzelpreis|"
    r"(?:price|cost|preis|kosten)[ _](?:per|pro|je)[ _]\w+)(?![a-z])"
)
_SUM: Final = re.compile(
    r"\b(?:sum(?:s|med)?|totals?|add(?:ed|s)?|combined|together|altogether|overall|in all|summe|"
    r"gesamt\w*|insgesamt|zusammen\w*)\b"
)
#: What asks for an end, and for no mean.
_ENDS: Final = re.compile(r"\b(?:m(?:in|ax)(?:imum|ima|imal\w*)?|\w{2,}est|höchst\w*|most|least)\b")
_BEST: Final = re.compile(r"\b(?:best|worst|top|record)\b")
_NUMBERS: Final = frozenset({"count", "count distinct", "sum"})
_BOUNDS: Final = frozenset({"<", "<=", ">", ">=", "between"})
_RANKED: Final = re.compile(
    r"^(?:rank|sort|order|list) (?:the |all )*(?P<named>\w+) by (?:the )?"
    r"(?:number|count|frequency)\b"
)
_MOST_COMMON: Final = re.compile(
    r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten) most (?:common|frequent|popular) "
    r"(?P<named>\w+)"
)
#: What somebody has a number of, and no number of rows: "the phone number of Ada".
_NUMBER_NAMED: Final = re.compile(
    r"\b(?!total|overall|average|mean|large|small|high|low|great|max|min|what|which|the)"
    r"(?P<named>\w+) (?:numbers?|nos?|nr) (?:of|for|from)\b"
)
#: A sum in a unit: "how many kg of apples".
_IN_UNITS: Final = re.compile(
    r"^how (?:many|much) (?P<named>km|miles?|kg|g|grams|lbs?|tons?|kwh|mwh|litres?|liters?|l|ml|m|"
    r"hours?|h|minutes?|min|eur|euros?|dollars?|usd|gbp|chf)\b"
)
#: A sum of what one column is called: "how much in yearly fees".
_MUCH_IN: Final = re.compile(
    r"^how much in (?:(?:\w+ly|annual|total|all|the) )*(?P<named>\w+)\b"
    r"(?!.*\b(?:per|each|every|by)\b)"
)
_SHOWS: Final = re.compile(
    r"^(?:please )?(?:show|list|display|give me|who|whose|zeige?|"
    r"(?:(?:for|in|on|at|from|of|with|bei) )?which)\b"
)
#: What asks for a number or for groups, also in a request to show something.
_COMPUTES: Final = re.compile(
    r"\b(?:numbers? of|counts?|many|much|often|per|each|every|by|mean|average|median|total|sum|"
    r"m(?:ax|in)\w*|most|least|common|\w+est|best|worst|top|share|percent\w*|deviation|variance|"
    r"range|correlat\w*|outliers?|distribut\w*|differ\w*|uniq\w*|columns?|more|fewer)\b"
)
_NOTHING_THERE: Final = re.compile(r"\b(?:without|have no|has no|with no|missing|empty|ohne)\b")


def stated_subject(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test of a query for each person, count, sum and row that a question states.

    Args:
        question: The question.
        columns: The columns of the table.
    """
    asked = " ".join(in_english(tokens(question)))
    persons = [name for name in columns if not PERSONS.isdisjoint(header_stems(name))]
    if _WHO.search(asked) and persons:
        yield (
            lambda query: (
                query.by in persons
                or not set(query.columns).isdisjoint(persons)
                or any(each.column in persons for each in query.filters)
            )
        )
    if _HOW_OFTEN.search(asked):
        yield from _of_times(asked, columns)
        yield lambda query: [measure.function for measure in query.measures] == ["count"]
    if _HOW_MANY.search(asked):
        # a number, and never the names of groups
        yield lambda query: not query.by or query.columns != (query.by,)
        if stated_comparisons(question):
            yield _is_number
        yield from _of_bounded(asked, columns)
        if not (_ENDS.search(asked) or _BEST.search(asked)):
            # the last of some months is no number of them
            yield lambda query: not _computes(query, {"minimum", "maximum"}, columns)
    if _NOTHING_THERE.search(asked):
        yield from _of_gaps(asked, columns)
    undone = [name for name in columns if says_not_done(question, header_stems(name))]
    if undone:
        yield from _of_all(asked)
        yield partial(_has_gap, columns=undone)
        yield lambda query: all(each.comparison != "!=" for each in query.filters)
    meant = _measured_columns(asked, columns)
    if meant:
        yield lambda query: not meant.isdisjoint(query.names)
    yield from _of_additive(asked, columns)
    yield from _of_done(asked, columns)
    yield from _of_quantity(asked, columns)
    yield from stated_spent(question, columns)
    yield from _of_one_column(asked, columns)


def _of_gaps(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where the rows are asked for that have nothing in a column."""
    yield from _of_all(asked)
    if _SHOWS.search(asked) and not _COMPUTES.search(asked):
        said = {stem(word) for word in asked.split()}
        named = [name for name in columns if not said.isdisjoint(header_stems(name))]
        for wanted in (columns, named):
            yield partial(_has_gap, columns=wanted)


def _has_gap(query: Query, columns: Sequence[str]) -> bool:
    """Return whether a query has the rows that have nothing in one of these columns."""
    return any(each.comparison == "is missing" and each.column in columns for each in query.filters)


def _of_all(asked: str) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where all rows of a kind are to be shown, and nothing is computed of them."""
    if _SHOWS.search(asked) and not _COMPUTES.search(asked):
        yield lambda query: not query.measures
        if not re.search(r"\d", asked):
            yield lambda query: not query.limit


def _of_times(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a column holds how often it was done: plays, for "was it played"."""
    # the score of "how often was the score above 90" is no verb
    named = set(map(header_words, columns))
    verbs = {(stem(word),) for word in asked.split() if (word,) not in named}
    counted = [name for name in columns if header_stems(name) in verbs]
    if counted:
        yield _is_sum(counted)


def stated_spent(question: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where groups of what was spent or earned are asked for: their sums.

    A number of expenses, or the mean of them, is said to be one.
    """
    if _SPENT_BY.search(question) and not _NO_SUM.search(question):
        money = {name for name in columns if not MONEY.isdisjoint(header_meanings(name))}
        amounts = {name for name in money if not NEVER_SUMMED.search(name)}
        yield (
            lambda query: (
                [(m.function, m.column in amounts) for m in query.measures] == [("sum", True)]
            )
        )


def _of_bounded(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where rows are counted by a bound of a number: "how many scores are above 90".

    "How many units are in orders with more than 10 units" adds the units up.
    """
    words = [stem(word) for word in asked.split()]
    once = {name for name in columns if [words.count(own) for own in header_stems(name)] == [1]}
    yield lambda query: once.isdisjoint(
        {measure.column for measure in query.measures if measure.function == "sum"}
        & {each.column for each in query.filters if each.comparison in _BOUNDS}
    )


def _is_number(query: Query) -> bool:
    """Return whether a query counts or adds up."""
    return [measure.function in _NUMBERS for measure in query.measures] == [True]


def _measured_columns(asked: str, columns: Sequence[str]) -> frozenset[str]:
    """Return the columns of what "how ..." asks for: "how heavy is", "how much does it weigh"."""
    stems = frozenset().union(*measured(asked.split()).values()) if _HOW.search(asked) else ()
    return frozenset(name for name in columns if not set(header_stems(name)).isdisjoint(stems))


def _of_additive(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test against sums that say nothing: of percents, of degrees; none if one is said."""
    said = {stem(word) for word in asked.split()}
    is_sum = _SUM.search(asked) is not None
    unsaid = {
        name
        for name in columns
        if NEVER_SUMMED.search(name) and not (is_sum and said.intersection(header_meanings(name)))
    }
    if not unsaid:
        return
    yield lambda query: not _computes(query, {"sum"}, unsaid)
    if not _ENDS.search(asked):  # "temperature per room" is a mean
        yield lambda query: not _computes(query, {"minimum", "maximum"}, unsaid)


def _computes(query: Query, functions: Collection[str], columns: Collection[str]) -> bool:
    """Return whether a query computes one of some functions of one of some columns."""
    return any(m.function in functions and m.column in columns for m in query.measures)


def _of_done(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where a participle is a column of yes and no: "the pages I have read"."""
    said = {stem(word) for word in asked.split()}
    done = {(stem(found["named"]),) for found in _DONE.finditer(asked)}
    undone = {(name,) for name, words in UNDONE.items() if not said.isdisjoint(words)}
    named = [name for name in columns if header_stems(name) in done | undone]
    is_denied = undone or not NEGATIONS.isdisjoint(asked.split())
    cells = _NO if is_denied else _YES
    if named:
        yield lambda query: any(
            each.column in named and str(each.value).lower() in cells for each in query.filters
        )
    if named and is_denied:
        yield from _of_all(asked)


def _of_quantity(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where what was bought, sold or spent is summed in the only column of it."""
    bought = _BOUGHT.search(asked)
    quantities = [name for name in columns if not QUANTITIES.isdisjoint(header_stems(name))]
    if bought and stem(bought["named"]) not in DEALS and len(quantities) == 1:
        yield _is_sum(quantities)
    prices = [name for name in columns if not PRICES.isdisjoint(header_stems(name))]
    if _SPENT.search(asked) and len(prices) == 1:
        yield _is_sum(prices)


def _of_one_column(asked: str, columns: Sequence[str]) -> Iterator[Callable[[Query], bool]]:
    """Yield a test where different values, a sum or groups of a column are asked for."""
    for pattern, test in (
        (_DIFFERENT, _counts_different),
        (_TOGETHER, _is_sum),
        (_SOLD, _is_sum),
        (_RANKED, _counts_groups),
        (_MOST_COMMON, _counts_groups),
        (_MUCH_IN, _is_one_sum),
        (_NUMBER_NAMED, _is_shown),
    ):
        found = pattern.search(asked)
        named = [name for name in columns if found and stem(found["named"]) in header_stems(name)]
        if named:
            yield test(named)
    unit = _IN_UNITS.search(asked)
    measured_in = [name for name in columns if unit and unit["named"] in header_words(name)]
    if len(measured_in) == 1:
        yield _is_sum(measured_in)
    # "the average goals against" is of that column, and of no other goals
    written = {name: header_words(name) for name in columns}
    in_full = [
        name
        for name, words in written.items()
        if len(words) > 1 and f" {' '.join(words)} " in f" {asked} "
    ]
    # a heart rate is no share of hearts
    rates = () if any("rate" in header_stems(name) for name in columns) else ((_RATE, _is_mean),)
    for pattern, test in ((_TOTAL_OF, _is_sum), (_MEAN_OF, _is_mean), *rates):
        said = {found["named"] for found in pattern.finditer(asked)}
        called = [name for name in in_full if is_called(header_words(name)[0], said)]
        called = called or [name for name in columns if is_called(name, said)]
        if called:
            yield test(called)


def _counts_different(columns: Sequence[str]) -> Callable[[Query], bool]:
    return lambda query: query.measures in {(Measure("count distinct", c),) for c in columns}


def _is_sum(columns: Sequence[str]) -> Callable[[Query], bool]:
    return lambda query: query.measures in {(Measure("sum", name),) for name in columns}


def _is_shown(columns: Sequence[str]) -> Callable[[Query], bool]:
    return lambda query: not query.measures and not set(query.columns).isdisjoint(columns)


def _is_one_sum(columns: Sequence[str]) -> Callable[[Query], bool]:
    is_sum = _is_sum(columns)
    return lambda query: is_sum(query) and not query.by


def _is_mean(columns: Sequence[str]) -> Callable[[Query], bool]:
    return lambda query: query.measures in {(Measure("mean", name),) for name in columns}


def _counts_groups(columns: Sequence[str]) -> Callable[[Query], bool]:
    return lambda query: query.by in columns and query.measures == (Measure("count"),)


def dated_by(query: Query) -> frozenset[str]:
    """Return the columns of whose years, months or days a query has groups or rows."""
    of_filters = {each.column for each in query.filters if each.part or _is_day(each.value)}
    return frozenset(of_filters | ({query.by} if query.part else set()))


def _is_day(value: object) -> bool:
    first = value[0] if isinstance(value, tuple) else value
    return isinstance(first, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", first) is not None


def meant_dates(question: str, columns: Sequence[str], queries: Sequence[Query]) -> frozenset[str]:
    """Return the columns of dates that are meant: those that are named, else the first one.

    Args:
        question: The question.
        columns: The columns of the table.
        queries: What the question may mean.
    """
    dates = {name for query in queries for name in dated_by(query)}
    said = {stem(word) for word in in_english(tokens(question))}
    known = [name for name in columns if name in dates]
    # "not paid, from before May" is of when it was ordered
    empty = {f.column for query in queries for f in query.filters if f.comparison == "is missing"}
    known = [name for name in known if name not in empty] or known
    named = [name for name in known if not said.isdisjoint(header_stems(name))]
    return frozenset(named or known[:1])
