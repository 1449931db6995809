"""Most dealt: "which wine sold best" and "who bought most" are of a sum, and no number of rows.

Where a table has one column of a quantity or an amount, that column is written into the question.
"Sold most often" and "the most orders" stay what they are: numbers of rows.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import PRICES
from okso_jupyter.planning.table_questions.computed_words import (
    QUANTITIES,
    counted_by,
    paid_columns,
)
from okso_jupyter.planning.table_questions.cue_words import PARTS
from okso_jupyter.planning.table_questions.stated_subject import DEALS, NEVER_SUMMED, PERSONS
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import header_words, stem, tokens

_VERB: Final = (
    r"(?P<verb>sells?|sold|buys?|bought|purchased?|order(?:s|ed)?|gives?|gave|given|donated?|spen[dt]s?|got|received?|"
    r"contributed?|produced?|lays?|laid|caught|harvested|picked|collected|raised|consumed?|drank|ate|"
    r"(?:ver|ge|ein)?kauf(?:t|te|ten|en)|bestell(?:t|te|en)|gespendet|spende(?:t|te|n)|geliefert|"
    r"geerntet|gelegt|gesammelt|verbraucht|getrunken|gegessen|bekommen|erhalten|l(?:ief|äuft|aufen|iefen)|ging(?:en)?|"
    r"ausgegeben|verdient|eingenommen|earned|(?:makes?|made)(?=\s+(?:the\s+)?(?:most|least)\s+(?:money|cash)\b)|"
    r"(?:cost|gekostet)(?:\s+us\b)?|(?<!\bis\s)(?<!\bare\s)(?<!\bwas\s)(?<!\bwere\s)(?<!\bgets\s)(?<!\bget\s)paid|bezahlt|gezahlt|"
    r"geht|gehen)"
)
_END: Final = r"(?:(?P<best>best|most|meisten|besten)|worst|least|fewest|schlechtesten|wenigsten)"
#: What is done with money alone.
_SPENT: Final = re.compile(
    r"(?i)(?:^|\s)(?:spen[dt]s?|ausgegeben|verdient|eingenommen|earned|makes?|made|cost|gekostet|paid|"
    r"bezahlt|gezahlt)\b"
)
#: Words behind "most" that say how it is meant: "most often" is a number of rows.
_OTHER: Final = (
    r"(?!\s*-?\s*(?:often|frequent\w*|recent\w*|common\w*|popular|expensive|valuable|single))"
)
#: Words behind "most" that are of no thing that somebody has most of.
_LEADS: Final = (
    r"(?:in|at|on|per|for|from|since|between|during|by|to|and|with|last|this|im|am|an|bei|von|"
    r"seit|pro|je|und|mit|aus|so|was|wurde|worden|hat|haben|overall|insgesamt|altogether)\b"
)
#: "Sold best", "bought the most wine", "verkauft sich am besten".
_DEALT: Final = re.compile(
    rf"(?i)\b{_VERB}\s+(?:sich\s+)?(?:the\s+|am\s+)?{_END}\b{_OTHER}"
    rf"(?:\s+of\b)?(?:\s+(?!{_LEADS})(?P<noun>[^\W\d_]+))?"
)
#: "Am meisten verkauft", "the most sold".
_BEFORE: Final = re.compile(rf"(?i)\b(?:the|am)\s+{_END}\s+(?!orders\b){_VERB}\b")
#: "Who paid more, Ada or Bo": one of two has the most.
_OF_TWO: Final = (
    (
        re.compile(rf"(?i)(?<=\bwho\s){_VERB}\s+(?P<end>more|less)\b(?!\s+than\b)(?=.*\bor\b)"),
        ("most", "least"),
    ),
    (
        re.compile(
            rf"(?i)(?<=\bwer\shat\s)(?P<end>mehr|weniger)\s+{_VERB}\b(?!\s+als\b)(?=.*\boder\b)"
        ),
        ("am meisten", "am wenigsten"),
    ),
)
_ASKED: Final = (
    r"(?i)(?:^\W*(?:(?:what|which|was|welche[rs]?)(?:['’]s|\s+(?:is|are|was|were|ist|war|sind|waren))?"
    r"\s+|(?:show|list|name)(?:\s+me)?\s+))?\b(?:(?:the|our|my|unser\w*|d(?:er|ie|as))\s+)?"
)
_COUNTS: Final = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "fünf": 5,
}
_COUNT: Final = rf"(?:\d+|{'|'.join(_COUNTS)})"
#: "Our best-selling wine", "die zwei meistverkauften Waren", "our bestseller".
_SELLING: Final = re.compile(
    rf"{_ASKED}(?:top\s+(?=\d))?(?:(?P<count>{_COUNT})\s+)?"
    rf"(?:(?P<best>best|top|most|meist)|worst)[\s-]*(?:(?P<number>{_COUNT})\s+)?"
    rf"(?:sellers?|selling|(?:sold|verkaufte\w*|gekaufte\w*)(?=\s+(?!{_LEADS})\w))\b"
    rf"(?:\s+(?!{_LEADS})(?P<noun>[^\W\d_]+))?"
)
#: "The best sales day", "bester Verkaufstag".
_BEST_DAY: Final = re.compile(
    rf"{_ASKED}(?:(?:(?P<best>best|stärkst|top)|worst|schlechtest|schwächst)(?:e[rsnm]?)?\s+"
    r"(?:(?:sales|selling)\s+|(?:verkaufs|umsatz))|umsatz(?:(?P<most>stärkst)|schwächst)e[rsnm]?\s+)"
    r"(?P<part>[^\W\d_]+)"
)
#: A column of persons that sell, who are meant by "the best seller" where there is one.
_SELLER: Final = stem("seller")
_SELLERS: Final = re.compile(r"(?i)\bsellers?\b")
_MONEY: Final = frozenset(map(stem, "money cash geld sales umsatz".split()))
_ITEMS: Final = frozenset(map(stem, "item product article ware artikel produkt".split()))
_WHO: Final = re.compile(r"(?i)^\W*(?:who|wer)\b")
#: "What did Ida buy", "was wurde", "wofür": the things are asked for.
_WHAT: Final = re.compile(
    r"(?i)^\W*(?:what|was|wofür)\b(?:\s+(?:did|do|does|have|has|had|is|are|was|were|hat|haben|"
    r"wurden?|ist|sind|sich))*(?:\s+(?:we|you|they|i|people|wir|sie|man|ich)\b)?"
    r"(?P<who>(?:\s+[^\W\d_]+){0,2}?)\s*$"
)
_ON: Final = re.compile(r"(?i)^\s*(?:on|for|worden|ausgegeben)\b(?=\s*(?:$|[?.!,;]|in\b))")
#: "Worst seller by total amount".
_BY: Final = re.compile(
    r"(?i)^\s*(?:by|nach)\s+(?:(?:the\s+)?(?:total|sum\s+of)\s+)?(?P<summed>[^\W\d_]+)"
)
_PAID_BY: Final = re.compile(r"(?i)[ _](?:by|von)$")
#: "Did we", "hat": what is left in front of a verb.
_HELPER: Final = re.compile(
    r"(?i)\b(?:(?:did|do|does|have|has|had|was|were|hat|haben|wurden?|ist)\s+)+(?:(?:we|you|they|i|wir|sie|us|uns)\s+)?$"
)


def with_dealt(question: str, table: TableSample) -> str:
    """Return a question about what was sold or bought most for the sum that is meant.

    Args:
        question: The question.
        table: Its table; without one column of a quantity or an amount the question stays.
    """
    for pattern, ends in _OF_TWO:
        question = pattern.sub(partial(_as_end, ends=ends), question)
    found = _BEST_DAY.search(question)
    if found and stem(found["part"].lower()) in PARTS:
        return _of_part(question, found, table)
    found = _SELLING.search(question)
    if found:
        return _of_group(question, found, table)
    found = _DEALT.search(question) or _BEFORE.search(question)
    return _of_verb(question, found, table) if found else question


def _as_end(found: re.Match[str], ends: tuple[str, str]) -> str:
    """Return what one of two did more as what it did most."""
    return found[0].replace(found["end"], ends[found["end"].lower() in {"less", "weniger"}])


def _of_verb(question: str, found: re.Match[str], table: TableSample) -> str:
    """Return "who bought most" as who has the highest total, unless rows are named."""
    noun = found.groupdict().get("noun") or ""
    said = stem(noun.lower())
    # `ticket_id` numbers the rows, and is no number of tickets
    columns = [c for c in table.columns.values() if c.name not in table.numberings]
    named = [column for column in columns if said in column.stems]
    # what was consumed most is told by the consumption, and not by what it cost
    named_by_verb = [c for c in _summed(table) if _is_called_by(found["verb"].lower(), c)]
    numbers = [c for c in named if c.has_numbers and not NEVER_SUMMED.search(c.name)]
    numbers = numbers or (named_by_verb if len(named_by_verb) == 1 else [])
    if said in DEALS or (said in table.stems and not named) or _is_state(found["verb"], table):
        return question
    is_money = said in _MONEY
    dealt = _spent_column if _SPENT.search(found[0]) else partial(_dealt_column, is_money=is_money)
    column = numbers[0] if numbers else dealt(table)
    before, behind = question[: found.start()], question[found.end() :]
    stems = {stem(word) for word in tokens(before)}
    asked = [own for own in table.columns.values() if not stems.isdisjoint(own.stems)]
    # "in which month did gas cost the most" names the amount
    is_named = any(own in asked for own in _summed(table))
    if column is None or is_named:
        return question
    kept = "" if named or said in _MONEY else noun
    what = _WHAT.search(before)
    if what:
        thing = thing_of(table)
        of = f"of {what['who']}" if what["who"] else ""
        said_by = _joined(f"which {thing}", _total(found, column), kept, of, _ON.sub("", behind))
        return said_by if thing else question
    if _WHO.search(before):
        return _of_person(found, column, kept, behind, table) or question
    has_one_each = bool(asked) and all(own.names_rows for own in asked)
    most = _total(found, column, is_sum=not has_one_each)
    return _joined(_HELPER.sub(" ", before), most, kept, behind)


def _is_state(verb: str, table: TableSample) -> bool:
    """Return whether a column tells of which rows something is so: some orders are paid."""
    columns = table.columns.values()
    texts = (column for column in columns if column.kind == "text")
    flags = (column for column in columns if column.flags)
    return any((verb.lower(),) in column.places for column in texts) or any(
        stem(verb.lower()) in column.stems for column in flags
    )


def _is_called_by(verb: str, column: ColumnSample) -> bool:
    """Return whether a column is called by what was done: `Verbrauch`, of "verbraucht"."""
    return any(are_akin(verb, own) for own in header_words(column.name))


def _of_person(
    found: re.Match[str], column: ColumnSample, kept: str, behind: str, table: TableSample
) -> str:
    """Return who has the highest total; "" where no column tells who, or where none comes twice."""
    texts = [c for c in table.columns.values() if c.kind == "text"]
    persons = [c for c in texts if not PERSONS.isdisjoint(c.meanings)]
    persons = persons or [c for c in texts if _PAID_BY.search(c.name)]
    if not any(person.repeats for person in persons):
        return ""
    who = f"which {persons[0].name}" if len(persons) == 1 else "who"
    return _joined(who, _total(found, column), kept, behind)


def _of_group(question: str, found: re.Match[str], table: TableSample) -> str:
    """Return "our best-selling wine" as the wine with the highest total."""
    column = _dealt_column(table, is_money=False)
    sellers = [c.name for c in table.columns.values() if _SELLER in c.stems]
    is_seller = _SELLERS.search(found[0]) is not None
    noun = found["noun"] or (sellers[0] if is_seller and sellers else thing_of(table))
    before, behind = question[: found.start()], question[found.end() :]
    by = _BY.search(behind)
    numbers = [c for c in table.columns.values() if by and c.has_numbers and _is_called(c, by)]
    if by and len(numbers) == 1:
        column, behind = numbers[0], behind[by.end() :]
    if column is None or not noun:
        return question
    count = (found["count"] or found["number"] or "1").lower()
    count = str(_COUNTS.get(count, count))
    if count == "1":
        return _joined(before, f"which {noun}", _total(found, column), behind)
    end = "top" if found["best"] else "bottom"
    return _joined(before, f"{end} {count} {noun} by total {column.name}", behind)


def _is_called(column: ColumnSample, by: re.Match[str]) -> bool:
    return stem(by["summed"].lower()) in column.stems


def _of_part(question: str, found: re.Match[str], table: TableSample) -> str:
    """Return "the best sales day" as the day with the highest total."""
    column = _dealt_column(table, is_money=True)
    dates = [each.name for each in table.columns.values() if each.kind == "date"]
    part = PARTS[stem(found["part"].lower())]
    if column is None or not dates:
        return question
    name = dates[0] if part == "day" else part
    before, behind = question[: found.start()], question[found.end() :]
    return _joined(before, f"which {name}", _total(found, column), behind)


def _total(found: re.Match[str], column: ColumnSample, *, is_sum: bool = True) -> str:
    is_best = found["best"] or found.groupdict().get("most")
    end = "highest" if is_best else "lowest"
    return f"has the {end} total {column.name}" if is_sum else f"has the {end} {column.name}"


def _joined(*parts: str) -> str:
    return " ".join(" ".join(parts).split())


def _dealt_column(table: TableSample, *, is_money: bool) -> ColumnSample | None:
    """Return the column that is added up of what is dealt; None if none or several may be.

    Args:
        table: The table.
        is_money: Whether an amount of money comes before a quantity.
    """
    summed = _summed(table)
    amounts = [column for column in summed if not PRICES.isdisjoint(column.meanings)]
    quantities = quantities_of(table)
    kinds = (amounts, quantities) if is_money else (quantities, amounts)
    return next((own[0] for own in (*kinds, summed) if len(own) == 1), None)


def _spent_column(table: TableSample) -> ColumnSample | None:
    """Return the column of what was spent or earned; None if none or several may be."""
    amounts = [column for column in _summed(table) if not PRICES.isdisjoint(column.meanings)]
    return next((own[0] for own in (paid_columns(table), amounts) if len(own) == 1), None)


def quantities_of(table: TableSample) -> list[ColumnSample]:
    """Return the columns of how much there is of what is dealt, and of no money."""
    summed = [c for c in _summed(table) if PRICES.isdisjoint(c.meanings)]
    quantities = [c for c in summed if not QUANTITIES.isdisjoint(c.meanings)]
    prices = [c for c in _amounts(table) if not PRICES.isdisjoint(c.meanings)]
    return quantities or counted_by(prices, summed)


def _summed(table: TableSample) -> list[ColumnSample]:
    """Return the columns whose numbers can be added up."""
    return [column for column in _amounts(table) if not NEVER_SUMMED.search(column.name)]


def _amounts(table: TableSample) -> list[ColumnSample]:
    """Return the columns whose numbers name no row and are no years."""
    columns = [column for column in table.columns.values() if column.has_numbers]
    return [column for column in columns if not (column.is_key or column.is_year or column.is_name)]


def thing_of(table: TableSample) -> str:
    """Return the column of what is dealt: called an item, or the first of texts that repeat.

    None that names persons.
    """
    texts = [c for c in table.columns.values() if c.kind == "text" and c.repeats]
    things = [c for c in texts if PERSONS.isdisjoint(c.stems)]
    items = [c for c in things if not _ITEMS.isdisjoint(c.meanings)]
    return next((column.name for column in (*items, *things)), "")
