"""Two questions in one: "which farm sold most, and how many bills are open?".

Both are read alone where the second one says itself what it is of. One that refers to the answer of
the first ("how much did they sell in May") cannot be read before that is known: it is left out, and
told. What is asked of the row or group of the first question is no second one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from okso_jupyter.planning.table_questions.both_ends import says_both_ends
from okso_jupyter.planning.table_questions.confidence import UNANSWERED, less_sure
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.readings import QueryReading
from okso_jupyter.planning.table_questions.stated_parts import is_said
from okso_jupyter.planning.table_questions.words import tokens
from okso_jupyter.tables.query import Query

_ASKS: Final = (
    r"(?:how\s+(?:many|much|often|long)|wh(?:at|ich|o|en|ere)|"
    r"wie\s?(?:viele?|oft|lange|hoch)|welche\w*|wer|was|wann|wo)\b"
)
_OF: Final = r"(?:(?:in|on|at|for|with|by|auf|bei|f(?:ü|ue)r|mit)\s+)?"
_BEGINS: Final = re.compile(rf"(?i)^\W*{_OF}{_ASKS}")
_SECOND: Final = re.compile(rf"(?i)(?:[.?!]\s+|[,;]?\s+(?:and|und)\s+|[?]\s+)(?={_OF}{_ASKS})")
_JOINED: Final = re.compile(r"(?i)^(?:and|und)\s+(?:also\s+|auch\s+)?")
#: What stands for the answer of the first question; "gibt es" and "there is" stand for nothing.
_REFERS: Final = re.compile(
    r"(?i)\b(?:they|them|their|it|its|he|him|his|she|her|these|those|this|that|ones?|sie|er|ihm|"
    r"ihn|ihre?[nmrs]?|sein(?:e[nmrs]?)?|davon|dabei|dort|dies\w*|deren|dessen|"
    r"(?<!gibt )(?<!gab )es)\b"
)
#: Of what the first question is about: "how many in April", "which is the dearest", "who of them".
_SHORTENED: Final = re.compile(
    rf"(?i)^{_OF}{_ASKS}\s+(?:in|on|at|for|from|with|of|over|under|above|below|is|are|was|were|has|"
    r"have|had|not|do|does|did|im?|am|an|aus|bei|von|mit|f(?:ü|ue)r|ist|sind|war|waren|hat|haben|"
    r"nicht|über|unter)\b"
)
_NAMES_NOUN: Final = re.compile(r"(?i)^(?:who|what|when|where|wer|was|wann|wo|how often|wie oft)\b")
_OF_THOSE: Final = re.compile(r"(?i)\b(?:of (?:them|these|those)|davon|von (?:ihnen|diesen))\b")
_NUMBER_OF: Final = re.compile(
    r"(?i)^\W*(?P<asks>how\s+many|wie\s?viele)\s+(?P<noun>[^\W\d_]+)"
    r"(?P<verb>\s+(?:were|was|are|is|gab|gibt)\s+(?:there|es))?\b"
)
_NUMBER_IN: Final = re.compile(
    r"(?i)^(?:how\s+many|wie\s?viele)\s+(?=(?:in|on|at|from|im|am|aus)\b)"
)
_END: Final = re.compile(r"\b(?:\w{2,}est|most|least|last|first)\b")
_RELATIVE: Final = frozenset("who which where when welche".split())
_FEWEST_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class TwoQuestions:
    """Two questions of one request, each as it can be read alone.

    Attributes:
        first: The first one.
        second: The second one.
        refers: Whether the second one is about the answer of the first.
    """

    first: str
    second: str
    refers: bool

    @classmethod
    def of(cls, request: str) -> TwoQuestions | None:
        """Return the two questions that a request has; None if it has one, or more than two."""
        places = [*_SECOND.finditer(request)]
        if len(places) != 1 or not _BEGINS.search(request) or says_both_ends(request):
            return None
        first = request[: places[0].start()].strip()
        second = _completed(first, _JOINED.sub("", request[places[0].end() :]).strip(" ?.!"))
        begins, *_ = tokens(second) or ("",)
        is_relative = begins in _RELATIVE and begins in tokens(first)[1:]
        is_short = min(len(tokens(first)), len(tokens(second))) < _FEWEST_WORDS
        is_shortened = _SHORTENED.search(second) and not _NAMES_NOUN.search(second)
        if is_relative or is_short or is_shortened or _OF_THOSE.search(second):
            return None
        return cls(first, second, bool(_REFERS.search(second)))


def _completed(first: str, second: str) -> str:
    """Return a second question with what it leaves to the first: "how many (sales) in April"."""
    counted, number = _NUMBER_OF.search(first), _NUMBER_IN.search(second)
    if counted is None or number is None:
        return second
    return f"{number[0].strip()} {counted['noun']}{counted['verb'] or ''} {second[number.end() :]}"


def both_read(
    asked: TwoQuestions, source: str, read: Callable[[str], Sequence[QueryReading]]
) -> tuple[QueryReading, ...]:
    """Return the readings of the first question with the best one of the second beside each.

    () where the second one is about what the first one finds, which one query tells.

    Args:
        asked: The two questions.
        source: The table that both are about.
        read: Returns the readings of one question.
    """
    first, second = (
        read(one if source.lower() in one.lower() else f"{one} in {source}")
        for one in (asked.first, asked.second)
    )
    if not first or not second or not _stands_alone(second[0].query, asked.second):
        return ()
    if asked.refers:
        return tuple(
            replace(less_sure(reading, UNANSWERED), left_out=asked.second) for reading in first
        )
    sure = second[0].confidence
    return tuple(
        replace(less_sure(reading, reading.confidence * sure), also=(second[0].query,))
        for reading in first
    )


def _stands_alone(query: Query, question: str) -> bool:
    """Return whether a question has rows of its own: a condition that it says, or an end."""
    is_end = query.limit == 1 or any(m.function in {"minimum", "maximum"} for m in query.measures)
    says_end = bool(_END.search(" ".join(in_english(tokens(question)))))
    return (is_end and says_end) or any(
        each.part or each.comparison != "=" or is_said(each, question) for each in query.filters
    )
