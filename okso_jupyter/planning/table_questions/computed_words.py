"""Computed words: columns that a question names by what they mean, or by how they are computed.

Revenue is price * quantity where a table has both, and hours are computed of minutes; see
`spoken_formulas` for what a question says outright.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import PRICES
from okso_jupyter.planning.table_questions.elapsed_words import elapsed_asked
from okso_jupyter.planning.table_questions.ratios_asked import ratio_asked
from okso_jupyter.planning.table_questions.spoken_formulas import (
    ComputedQuestion,
    by_formula,
    called_forms,
)
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import (
    NUMBERINGS,
    QuestionWords,
    header_words,
    stem,
)
from okso_jupyter.tables.query import ComputedColumn

_REDUCED: Final = re.compile(r"(?i)\b(?:discount\w*|rabatt\w*|net|netto)\b")
_PRICE_PER: Final = re.compile(r"(?i)(?:per|each|pro|je|/)[ _]*(?P<of>[^\W\d_]{2,})")
#: What is paid for what was bought. The first word is what the column is called.
REVENUE: Final = re.compile(
    r"(?i)\b(?:revenues?|turnover|sales\s+(?:value|volume|amount)s?|total\s+sales|order\s+values?|"
    r"takings|spend(?:s|ing)?|spent|ums(?:a|ä)tze?|ausgegeben|einnahmen)\b"
)
#: Revenue without the word; what somebody earns or makes may be a wage.
_MOST_MONEY: Final = re.compile(
    r"(?i)\b(?:(?:brings?|brought|takes?|took)\s+in|(?:brings?|brought|makes?|made|earns?|earned)\s+us)\s+"
    r"(?:the\s+)?(?:(?P<most>most)|least)\s+(?:money|cash)\b|"
    r"\b(?:bringt|brachte|nimmt|nahm)\s+(?P<wann>im\s+\w+\s+)?am\s+"
    r"(?:(?P<meisten>meisten)|wenigsten)\s+geld(?:\s+ein)?\b"
)
#: "Which city brings in the most", where something is paid; animals are taken in, too.
_BROUGHT_MOST: Final = re.compile(
    r"(?i)\b(?:brings?|brought|takes?|took)\s+in\s+(?:the\s+)?(?:(?P<most>most)|least)"
    r"(?=\W*$|\s+(?:in|on|during|since|between|last|this|from|so\s+far|overall)\b)|"
    r"\b(?:bringt|brachte|nimmt|nahm)\s+(?P<wann>im\s+\w+\s+)?am\s+"
    r"(?:(?P<meisten>meisten)|wenigsten)\s+ein\b"
)
_TAKEN_IN: Final = re.compile(
    r"(?i)\bhow\s+much(?:\s+money)?\s+(?:did|do|have)\s+(?:we|i)\s+"
    r"(?:take|taken)\s+in\b"
)
#: "What did Hannah pay in total" names somebody; "has been paid" and "did we pay" do not.
_PAID_BY: Final = re.compile(
    r"(?i)\b(?:what|how\s+much)\s+(?:did|has|have|does)\s+"
    r"(?P<who>(?:(?!(?:we|i|you|they|he|she|it|not|been)\b)[^\W\d_][\w.'-]*\s+){1,4}?)"
    r"(?:pay|paid|pays)\b(?:\s+(?:in\s+total|in\s+all|altogether))?"
)
#: "How much did each item bring in".
_EACH_BROUGHT: Final = re.compile(
    r"(?i)\bhow\s+much(?:\s+money)?\s+(?:did|does|has)\s+(?:each|every)\s+"
    r"(?P<group>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+(?:bring|brought)\s+in\b|"
    r"\bwie\s?viel(?:\s+geld)?\s+(?:hat|brachte)\s+jede[rs]?\s+"
    r"(?P<gruppe>[^\W\d_]+)\s+ein(?:gebracht)?\b"
)
_SPENDS: Final = re.compile(r"(?i)\b(?:spend(?:s|ing)?|spent|ausgegeben)\b")
#: Units of one kind, each by the size of the smallest.
_UNITS: Final[Sequence[Mapping[str, float]]] = (
    {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "day": 86_400},
    {"cm": 1, "m": 100, "metre": 100, "meter": 100, "km": 100_000, "kilometre": 100_000,
     "kilometer": 100_000, "mile": 160_934.4},
    {"g": 1, "gram": 1, "kg": 1000, "kilo": 1000, "kilogram": 1000, "ton": 1e6, "tonne": 1e6},
)  # fmt: skip
#: "How many hours", and "the average weight in kilos".
_IN_UNIT: Final = re.compile(
    r"(?i)\b(?:how\s+many|(?P<noun>weight|mass|distance|length|height|duration|time)s?\s+in)"
    r"\s+(?P<unit>[a-z]+)\b"
)
_STATISTIC: Final = re.compile(
    r"(?i)\b(?:total|sum|average|avg|mean|median|most|least|best|worst|\w{3,}est|top|bottom|maximum|"
    r"minimum|max|min|deviation|variance|correlat\w*|share|percent\w*|gesamt\w*|durchschnitt\w*|"
    r"meisten|höchste\w*|summe|mittel\w*)\b"
)
#: The ends of an order, among the statistics.
_TOP: Final = re.compile(
    r"(?i)\b(?:most|least|best|worst|top|bottom|\w{3,}est|höchste\w*|meisten)\b"
)
#: Says that groups are meant: which of them, or by what.
_OF_GROUPS: Final = re.compile(r"(?i)\b(?:which|whose|who|welche\w*|wer|by|per|nach|pro|je)\b")
#: Letters of a value that a word can begin with.
_SHORTEST_VALUE: Final = 4
_PIECES: Final = re.compile(r"(?i)\b(?:units|pieces|copies|stück)\b")
_PRICES: Final = frozenset(map(stem, "price cost fee rate fare preis stuckpreis tarif".split()))
#: What is paid for one of them; the costs of a concert bring in nothing.
_PLAIN_PRICES: Final = frozenset(map(stem, "price fee fare preis".split()))
QUANTITIES: Final = frozenset(
    map(stem, "quantity qty units pieces copies sold menge anzahl stuck".split())
)
#: What there is of something, which may be less than it should be.
STOCK: Final = frozenset(map(stem, "stock inventory hand bestand lager lagerbestand".split()))
_HELD: Final = QUANTITIES | STOCK
#: A price of one of them, beside what was paid for all.
_OF_ONE: Final = re.compile(r"(?i)unit|single|each|einzel|stück|stueck")
#: What one has bought or listed, by the file's name or the date.
_OWN: Final = frozenset(
    map(
        stem,
        "expenses costs purchases purchased bought added listed published released ausgaben kosten "
        "gekauft angeschafft erschienen".split(),
    )
)
_GAP: Final = "gap"
#: Most letters of a unit: "price_eur".
_UNIT_CHARS: Final = 3
#: Two columns of a row: "below their minimum stock", "more hours than planned".
_BEYOND: Final = (
    r"(?i)\b(?:below|above|exceed(?:s|ed|ing)?|"
    r"(?:over|under|unter|über)(?=\s+(?:their|its|ihre|(?:the|dem|den|der)\s+(?:m(?:in|ax)|mindest)))|"
    r"(?:more|fewer|less|higher|lower|longer|shorter|greater|larger|smaller)"
    r"(?P<of>(?:\s+\w+){{0,3}}?)\s+than)\s+"
    r"(?:(?:the|their|its|ihre[mnrs]?|de[mnr]|it|they|is|are|was|were|has|have|had)\s+)*"
    r"(?P<right>{forms})(?!\w)(?:\s+for\b)?"
)
#: What there should be at least: a column "min_stock" is the minimum, also in German.
_LEAST: Final = frozenset("min minimum mindestbestand mindestmenge minimal reorder".split())
#: What is held is worth its price: "what is my stock worth".
_WORTH: Final = re.compile(
    r"(?i)\b(?:(?:stock|inventory)\s+worth|(?:stock|inventory)\s+value|"
    r"(?:value|worth)\s+of\s+(?:\w+\s+){0,3}(?:stock|inventory)|(?:lager|waren|bestands)wert)\b"
)
#: Columns that are what is paid already.
AMOUNTS: Final = frozenset(
    map(stem, "revenue turnover sales total sum subtotal paid spent umsatz summe betrag".split())
)
#: What is asked for a service, where no quantity has a price.
CHARGES: Final = frozenset(map(stem, "fee charge charged billed gebuhr honorar entgelt".split()))
#: What columns of money are called.
MONEY: Final = PRICES | AMOUNTS


def computed_asked(question: str, table: TableSample) -> ComputedQuestion | None:
    """Return a question with the columns that it wants computed; None if it wants none."""
    numbers = _numbers(table)
    return (
        by_formula(question, numbers, table)
        or elapsed_asked(question, table)
        or _beyond(question, numbers, table)
        or _worth(question, numbers)
        or _revenue(question, numbers)
        or ratio_asked(question, table)
        or _in_unit(question, numbers, table)
    )


def in_words_of_revenue(question: str, tables: Callable[[], Sequence[TableSample]]) -> str:
    """Return a question with "revenue" for what brings in money; any other stays as it is.

    Args:
        question: The question.
        tables: Returns the tables that it may be about; read only where the words ask for it.
    """
    for pattern, unknown in ((_MOST_MONEY, "revenue"), (_BROUGHT_MOST, "")):
        money = pattern.search(question) and (_money_in(tables(), question) or unknown)
        if money:
            question = pattern.sub(partial(_most_of, money=money), question)
    question = _TAKEN_IN.sub("what is the revenue", question)
    question = _PAID_BY.sub(r"what is the total revenue of \g<who>", question)
    return _EACH_BROUGHT.sub(
        lambda said: f"what is the total revenue per {said['group'] or said['gruppe']}", question
    )


def _most_of(said: re.Match[str], money: str) -> str:
    """Return what brings in most, or least, as a question about a sum of money."""
    end = "highest" if said["most"] or said["meisten"] else "lowest"
    return f"has the {end} total {money} {said['wann'] or ''}".strip()


def _money_in(tables: Sequence[TableSample], question: str) -> str:
    """Return what a question calls the money of tables; "" where they have none.

    The amounts of one table are named with it: "total amount" may be of anything.
    """
    if any(map(paid_columns, tables)):
        return "revenue"
    found = [t.source for t in tables if any("amount" in c.meanings for c in _numbers(t))]
    if len(found) != 1:
        return ""
    return "amount" if found[0] in question else f"amount in {found[0]}"


def with_quantity(question: str, table: TableSample) -> str:
    """Return a question with the name of the only column of amounts for "units" or "pieces"."""
    if any("unit" in column.stems for column in table.columns.values()):
        return question
    quantities = [column.name for column in table.columns.values() if column.is_quantity]
    return _PIECES.sub(quantities[0], question) if len(quantities) == 1 else question


def with_amount(question: str, table: TableSample) -> str:
    """Return a question with the name of the only column of what was paid for "revenue"."""
    found = REVENUE.search(question)
    # a discount is not taken off here, and what one spends oneself is no revenue
    if not found or _SPENDS.fullmatch(found[0]) or _REDUCED.search(question):
        return question
    paid = paid_columns(table)
    if len(paid) != 1 or _is_known(found[0], paid[0], table):
        return question
    before, behind = question[: found.start()], question[found.end() :]
    rest = f"{before} {behind}"
    if _OF_GROUPS.search(rest):  # the highest of them is the largest sum, and not of a row
        rest = _TOP.sub(" ", rest)
    name = paid[0].name if _STATISTIC.search(rest) else f"total {paid[0].name}"
    return f"{before}{name}{behind}"


def _is_known(said: str, paid: ColumnSample, table: TableSample) -> bool:
    """Return whether a word is the column's own name, or a value: "Einnahme", beside "Ausgabe"."""
    word = said.lower()
    texts = (column for column in table.columns.values() if column.kind == "text")
    parts = (part for column in texts for value in column.places for part in value)
    is_value = any(len(part) >= _SHORTEST_VALUE and word.startswith(part) for part in parts)
    return is_value or stem(word) in paid.meanings


def paid_places(question: QuestionWords, table: TableSample) -> set[int]:
    """Return the places of "revenue" and the like, if the table has what was paid, or gives it."""
    said = {
        place
        for place, word in enumerate(question.raw)
        if REVENUE.fullmatch(word) and not _SPENDS.fullmatch(word)
    }
    return said if said and (paid_columns(table) or revenue_of(_numbers(table))) else set()


def paid_columns(table: TableSample) -> list[ColumnSample]:
    """Return the columns of what was paid or charged; "amount_kg" is an amount and is none."""
    numbers = _numbers(table)
    paid = [column for column in _amounts(numbers) if not column.is_quantity]
    charged = [c for c in numbers if not CHARGES.isdisjoint(c.stems) and not _numbers_rows(c)]
    return paid or ([] if revenue_of(numbers) else charged or _prices_of_dates(table))


def _prices_of_dates(table: TableSample) -> list[ColumnSample]:
    """Return the only price of rows that have a date: each is sold once, as a lesson is.

    It is called so, and not as the price of something: `ticket_price` may be of many visitors.
    """
    columns = table.columns.values()
    prices = [column for column in _numbers(table) if _is_plain_price(column)]
    is_sold_once = any(column.kind == "date" for column in columns) and all(
        QUANTITIES.isdisjoint(column.meanings) for column in columns
    )
    return prices if is_sold_once and len(prices) == 1 and not _lists_things(table) else []


def _lists_things(table: TableSample) -> bool:
    """Return whether rows are things with their price, or what one has spent oneself."""
    columns = [*table.columns.values()]
    names = [c for c in columns if c.kind == "text" and (c is columns[0] or c.stems == table.stems)]
    is_named = any(len(column.places) == table.count for column in names)
    stems = {*table.stems, *(root for c in columns if c.kind == "date" for root in c.stems)}
    return is_named or not stems.isdisjoint(_OWN)


def _is_plain_price(column: ColumnSample) -> bool:
    words = [word for word in header_words(column.name) if len(word) > _UNIT_CHARS]
    return (
        bool(words)
        and _PLAIN_PRICES.issuperset(map(stem, words))
        and not _PRICE_PER.search(column.name)
    )


def _amounts(numbers: Sequence[ColumnSample]) -> list[ColumnSample]:
    """Return the columns that are called as what was paid is, and hold no numbers of rows."""
    named = (column for column in numbers if not AMOUNTS.isdisjoint(column.meanings))
    return [column for column in named if not _numbers_rows(column)]


def _numbers_rows(column: ColumnSample) -> bool:
    """Return whether a column is called as what rows are numbered by: `bill_no`."""
    return not NUMBERINGS.isdisjoint(header_words(column.name))


def _numbers(table: TableSample) -> list[ColumnSample]:
    return [column for column in table.columns.values() if column.has_numbers]


def _revenue(question: str, numbers: Sequence[ColumnSample]) -> ComputedQuestion | None:
    """Return a question about what was paid; None where a column holds it, or nothing tells it."""
    # a discount is not taken off here
    is_reduced = _REDUCED.search(question) is not None
    if not REVENUE.search(question) or is_reduced or _amounts(numbers):
        return None
    column = revenue_of(numbers)
    if column is None:
        return None
    if _SPENDS.search(question):
        # "Which customer spent the most?" asks who has the largest sum
        asked = re.sub(r"(?i)\b(the\s+)?(most|least)\b", r"\2", question)
        return ComputedQuestion((column,), _SPENDS.sub("has total revenue", asked, count=1))
    # what is paid is summed up if nothing else is said
    rest = REVENUE.sub(" ", question, count=1)  # "total sales" is one name
    name = "revenue" if _STATISTIC.search(rest) else "total revenue"
    return ComputedQuestion((column,), REVENUE.sub(name, question, count=1))


def revenue_of(numbers: Sequence[ColumnSample]) -> ComputedColumn | None:
    """Return the price of each row times its quantity; None unless there is one of both."""
    prices = [c for c in numbers if not _PRICES.isdisjoint(c.meanings)]
    quantities = [c for c in numbers if not QUANTITIES.isdisjoint(c.meanings) and c not in prices]
    quantities = quantities or counted_by(prices, numbers)
    if len(prices) > 1 and not any(_OF_ONE.search(column.name) for column in prices):
        # what was paid is the price, and not the shop price
        prices = [column for column in prices if _is_plain_price(column)]
    if len(prices) != 1 or len(quantities) != 1:
        return None
    return ComputedColumn("revenue", prices[0].name, "*", quantities[0].name)


def counted_by(
    prices: Sequence[ColumnSample], numbers: Sequence[ColumnSample]
) -> list[ColumnSample]:
    """Return the columns of what a price is of: `bottles`, beside "price per bottle"."""
    found = [_PRICE_PER.search(column.name) for column in prices]
    units = {stem(unit["of"].lower()) for unit in found if unit}
    return [c for c in numbers if c not in prices and not units.isdisjoint(c.stems)]


def _beyond(
    question: str, numbers: Sequence[ColumnSample], table: TableSample
) -> ComputedQuestion | None:
    """Return a question for rows with less in one column than in another: "below their minimum"."""
    bounds = {c.name: c for c in numbers if not (c.is_key or c.is_year)}
    forms = {form: bounds[name] for form, name in called_forms([*bounds.values()]).items()}
    least = [c for c in bounds.values() if not _LEAST.isdisjoint(header_words(c.name))]
    if len(least) == 1:
        forms |= dict.fromkeys(_LEAST, least[0])
    said = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    found = forms and re.search(_BEYOND.format(forms=said), question)
    if not found or _GAP in table.columns:
        return None
    right, before = forms[found["right"].lower()], question[: found.start()]
    left = _left_of(right, f"{before} {found['of'] or ''}", forms)
    if left is None:
        return None
    is_less = re.match(r"(?i)below|under|unter|fewer|less|lower|smaller|short", found[0])
    named = re.compile(rf"(?i)\b{re.escape(left.name).replace('_', '[_ ]')}\b")
    rest = f"{named.sub('', before)} {_GAP} {'below' if is_less else 'above'} 0"
    column = ComputedColumn(_GAP, left.name, "-", right.name)
    return ComputedQuestion((column,), " ".join(f"{rest}{question[found.end() :]}".split()))


def _worth(question: str, numbers: Sequence[ColumnSample]) -> ComputedQuestion | None:
    """Return a question about what all that is held is worth; None if no two columns tell it."""
    found = _WORTH.search(question)
    prices = [c for c in numbers if not _PRICES.isdisjoint(c.meanings)]
    held = [c for c in numbers if not _HELD.isdisjoint(c.stems) and c not in prices]
    held = [c for c in held if _LEAST.isdisjoint(header_words(c.name))]
    if found is None or len(prices) != 1 or len(held) != 1:
        return None
    column = ComputedColumn("worth", prices[0].name, "*", held[0].name)
    name = "worth" if _STATISTIC.search(question) else "total worth"
    return ComputedQuestion(
        (column,), f"{question[: found.start()]}{name}{question[found.end() :]}"
    )


def _left_of(
    right: ColumnSample, said: str, forms: Mapping[str, ColumnSample]
) -> ColumnSample | None:
    """Return the column that is compared with another: named, like it, or what there is of it."""
    others = list({c.name: c for c in forms.values() if c.name != right.name}.values())
    words = {stem(word) for word in header_words(said)}
    named = [c for c in others if words.issuperset(c.stems)]
    alike = [c for c in others if not set(c.stems).isdisjoint(right.stems)]
    held = [c for c in others if not _HELD.isdisjoint(c.stems) and _PRICES.isdisjoint(c.meanings)]
    return next((own[0] for own in (named, alike, held) if len(own) == 1), None)


def _in_unit(
    question: str, numbers: Sequence[ColumnSample], table: TableSample
) -> ComputedQuestion | None:
    """Return a question for hours where a column holds minutes; None for any other."""
    found = _IN_UNIT.search(question)
    unit = _unit_of(found["unit"].lower()) if found else None
    # days are counted more often than they are computed
    if (
        found is None
        or unit in {None, "day"}
        or any(unit in header_words(n) for n in table.columns)
    ):
        return None
    sizes = next(own for own in _UNITS if unit in own)
    name = found["unit"].lower()
    held = _only_of(sizes, numbers, table)
    if held is None or held[1] == sizes[unit] or name in table.columns:
        return None
    column, size = held
    ratio = sizes[unit] / size
    made = (
        ComputedColumn(name, column, "/", ratio)
        if ratio > 1
        else ComputedColumn(name, column, "*", 1 / ratio)
    )
    said = name if found["noun"] else f"total {name}"
    return ComputedQuestion((made,), question.replace(found[0], said, 1))


def _only_of(
    units: Mapping[str, float], numbers: Sequence[ColumnSample], table: TableSample
) -> tuple[str, float] | None:
    """Return the only column in units of a kind, and the size of its unit; "km" beside "ascent_m".

    None if there is none, or if several may be meant.
    """
    has_ends = any("max" in header_words(name) for name in table.columns)
    held = [
        (column.name, size)
        for column in numbers
        if (size := _size(column.name, units))
        and not (has_ends and "min" in header_words(column.name))  # a minimum, and no minutes
    ]
    alone = [(name, size) for name, size in held if len(header_words(name)) == 1]
    known = alone or held
    return known[0] if len(known) == 1 else None


def _unit_of(word: str) -> str | None:
    """Return a unit as the table of units has it; None if a word is none."""
    forms = (word, word.removesuffix("s"))
    return next((form for own in _UNITS for form in forms if form in own), None)


def _size(name: str, units: Mapping[str, float]) -> float:
    """Return the size of the unit in a column's name; 0 where there is none of this kind."""
    words = header_words(name)
    return next(
        (units[u] for word in words if (u := _unit_of(word)) is not None and u in units), 0.0
    )
