"""Dealt amounts: "how many teas were sold" is the sum of a quantity, and no number of rows."""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.most_dealt import quantities_of
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import forms_of, stem, tokens

_DONE: Final = (
    r"(?:sold|sell|bought|buy|ordered|order|delivered|deliver|eaten|drunk|used|use|"
    r"(?:ver|ge|ein)kauft?|verkauften|bestellt|geliefert|verbraucht|getrunken|gegessen)"
)
_WE: Final = r"(?:we|i|you|they|people|wir|ich|sie|man)\b"
_WORDS: Final = r"(?:\s+[^\W\d_]+){0,4}?"
#: "How many teas were sold in June", "how many teas did Mia sell".
_HOW_MANY: Final = re.compile(
    r"(?i)\b(?:how\s+many|wie\s+viele?)\s+(?P<noun>[^\W\d_]+)\s+"
    rf"(?:(?:were|was|ha(?:ve|s)\s+been|wurden?)(?P<among>{_WORDS})|"
    rf"(?:did|do|does|have|has|haben?|hat)\s+(?:{_WE}|(?P<by>[^\W\d_]+))(?P<then>{_WORDS}))"
    rf"\s+{_DONE}\b"
)


def with_dealt_amount(question: str, table: TableSample) -> str:
    """Return a question about how many of a value were sold for the sum of their quantity.

    Args:
        question: The question.
        table: Its table. The question stays where the table has no quantity, or several, and where
            something else is counted than values of a column: "how many orders".
    """
    found = _HOW_MANY.search(question)
    quantities = quantities_of(table)
    if found is None or len(quantities) != 1 or stem(found["noun"].lower()) in table.stems:
        return question
    texts = [c for c in table.columns.values() if c.kind == "text" and c.repeats]
    texts = [column for column in texts if PERSONS.isdisjoint(column.meanings)]
    noun = forms_of(tokens(found["noun"]))
    is_column = any(stem(found["noun"].lower()) in column.stems for column in texts)
    values = (value for column in texts for value in column.places)
    if not is_column and all(noun.isdisjoint(forms_of(value)) for value in values):
        return question
    of = "" if is_column else f"of {found['noun']}"
    said = [found[part] or "" for part in ("among", "by", "then")]
    asked = " ".join(("total", quantities[0].name, of, *said))
    return " ".join(f"{question[: found.start()]} {asked} {question[found.end() :]}".split())
