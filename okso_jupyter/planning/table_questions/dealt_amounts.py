"""Dealt amounts: "how many teas were sold" is the sum of a quantity, and no number of rows."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.most_dealt import quantities_of, thing_of
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import forms_of, stem, tokens

_DONE: Final = (
    r"(?:sold|sell|bought|buy|ordered|order|delivered|deliver|eaten|drunk|used|use|"
    r"(?:ver|ge|ein)kauft|bestellt|geliefert|verbraucht|getrunken|gegessen)"
    # "how many towns did we sell to"
    r"\b(?!\s+(?:to|from|with|at|an|von|bei)\b)"
)
_WE: Final = r"(?:we|i|you|they|people|wir|ich|sie|man)\b"
_WORDS: Final = r"(?:\s+[^\W\d_]+){0,4}?"
#: "How many teas were sold in June", "how many teas did Mia sell". What one sells today may be
#: kinds of things: "how many products do we sell".
_HOW_MANY: Final = re.compile(
    r"(?i)\b(?:how\s+many|wie\s+viele?)\s+(?P<noun>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s+"
    rf"(?:(?:were|was|ha(?:ve|s)\s+been|wurden?)(?P<among>{_WORDS})|"
    rf"(?:did|have|has|haben?|hat)\s+(?:{_WE}|(?P<by>[^\W\d_]+))(?P<then>{_WORDS}))"
    rf"\s+{_DONE}"
)


def with_dealt_amount(question: str, table: TableSample) -> str:
    """Return a question about how many of a thing were sold as one for the sum of their quantity.

    Args:
        question: The question.
        table: Its table. The question stays as it is where the table has no quantity, or several,
            and where no value and no kind of thing is counted: "how many orders", "how many towns".
    """
    found = _HOW_MANY.search(question)
    quantities = quantities_of(table)
    if found is None or len(quantities) != 1:
        return question
    is_thing = _is_thing(found["noun"], table)
    if not is_thing and not _is_value(found["noun"], table):
        return question
    of = "" if is_thing else f"of {found['noun']}"
    said = [found[part] or "" for part in ("among", "by", "then")]
    asked = " ".join(("total", quantities[0].name, of, *said))
    return " ".join(f"{question[: found.start()]} {asked} {question[found.end() :]}".split())


def _is_thing(noun: str, table: TableSample) -> bool:
    """Return whether a word is the column of what is dealt, and not what rows are called."""
    thing, said = thing_of(table), stem(noun.lower())
    return bool(thing) and said not in table.stems and said in table[thing].stems


def _is_value(noun: str, table: TableSample) -> bool:
    """Return whether a word is a value of a column that repeats, and of no persons."""
    texts = [c for c in table.columns.values() if c.kind == "text" and c.repeats]
    texts = [column for column in texts if PERSONS.isdisjoint(column.meanings)]
    said = forms_of(tokens(noun))
    return any(not said.isdisjoint(forms_of(v)) for column in texts for v in column.places)
