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
from okso_jupyter.planning.table_questions.confidence import UNANSWERED, all_less_sure, less_sure
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.query_reading import QueryReading
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
_SAME: Final = r"(?P<asks>how\s+(?:many|much|often)|which|wie\s?(?:viele?|oft)|welche\w*)"
_PLACES: Final = (
    r"in|on|at|from|for|by|with|of|to|during|since|before|after|im|am|an|aus|bei|von|vom|mit|"
    r"f(?:ü|ue)r|seit|vor|nach"
)
_STATES: Final = r"is|are|was|were|ist|sind|war|waren"
_THERE: Final = r"(?:\s+(?:were|was|are|is|gab|gibt)\s+(?:there|es))?"
#: A question of which only one phrase is said: "how many in April", "how many were there in April".
_PHRASE: Final = re.compile(
    rf"(?i)^{_SAME}(?:{_THERE}\s+(?P<place>{_PLACES})|\s+(?P<state>{_STATES})(?!\s+(?:not|nicht)$))"
    r"\s+\S.*$"
)
_ASKED: Final = re.compile(rf"(?i)^\W*{_SAME}\b")
_WHOLE: Final = re.compile(rf"(?i)^\W*{_SAME}\s+[^\W\d_]+{_THERE}$")
_IN_FILE: Final = re.compile(rf"(?i)\s+(?:{_PLACES})\s+[\"'`]?\S+\.\w{{2,7}}[\"'`]?$")
_NAMED_TIME: Final = (
    r"(?:(?:19|20)\d\d(?:-\d\d){0,2}|q[1-4]|"
    r"(?:january?|jan|february?|feb|march|m(?:ä|ae)rz|mar|april|apr|may|mai|june?|juni|july?|juli|"
    r"august|aug|september|sept?|o[ck]tober|o[ck]t|november|nov|de[cz]ember|de[cz]|januar|februar|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|diens|donners|frei|sams|sonn)tags?|"
    r"mittwochs?|quarter|quartal|half|year|jahr|month|monat|week|woche)\b)"
)
_DAY_OR_NUMBER: Final = r"(?:the|this|den|dem|der|\d{1,2}(?:st|nd|rd|th|\.)?|[a-z]+(?:st|nd|rd|th))"
_TIME: Final = re.compile(
    rf"(?i)\b(?:{_PLACES})\s+(?:{_DAY_OR_NUMBER}\s+)*{_NAMED_TIME}"
    rf"(?:,?\s+(?:(?:of|to|bis|until|till|and|und)\s+)?(?:{_NAMED_TIME}|\d{{1,2}}(?:st|nd|rd|th)?\b))*"
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
        refers: Whether the second one is about the answer of the first, or of its rows.
        is_completed: Whether words of the first one were added to the second.
    """

    first: str
    second: str
    refers: bool
    is_completed: bool = False

    @classmethod
    def of(cls, request: str) -> TwoQuestions | None:
        """Return the two questions that a request has; None if it has one, or more than two."""
        places = [*_SECOND.finditer(request)]
        if len(places) != 1 or not _BEGINS.search(request) or says_both_ends(request):
            return None
        first = request[: places[0].start()].strip()
        said = _JOINED.sub("", request[places[0].end() :]).strip(" ?.!")
        second = _completed(first, said)
        begins, *_ = tokens(second) or ("",)
        is_relative = begins in _RELATIVE and begins in tokens(first)[1:]
        is_short = min(len(tokens(first)), len(tokens(second))) < _FEWEST_WORDS
        if is_relative or is_short or _OF_THOSE.search(second):
            return None
        is_completed = second != said
        names_no_rows = _SHORTENED.search(said) and not _NAMES_NOUN.search(said)
        refers = bool(_REFERS.search(said) or (names_no_rows and not is_completed))
        return cls(first, second, refers, is_completed)


def _completed(first: str, second: str) -> str:
    """Return a second question with what it leaves to the first: "how many (sales) in April".

    It is the first one with another phrase of the same kind. One of another kind stays as it is: it
    may be meant beside the phrases of the first one, or instead of them.
    """
    said = _IN_FILE.sub("", second)
    begins, short = _ASKED.search(first), _PHRASE.search(said)
    if not begins or not short or tokens(begins["asks"]) != tokens(short["asks"]):
        return second
    phrase = said[short.start("place" if short["place"] else "state") :]
    replaced = _places_of_kind(phrase, short, _IN_FILE.sub("", first))
    if len(replaced) == 1:
        start, end = replaced[0]
        return f"{first[:start]}{phrase}{first[end:]}"
    is_whole = short["place"] and _WHOLE.search(_IN_FILE.sub("", first))
    return f"{first} {phrase}" if is_whole else second


def _places_of_kind(phrase: str, short: re.Match[str], first: str) -> list[tuple[int, int]]:
    """Return where a question has a phrase of the kind of another: a time, a place, a state."""
    times = [time.span() for time in _TIME.finditer(first)]
    if _TIME.fullmatch(phrase):
        return times
    if short["state"]:
        stated = rf"(?i)\b{short['state']}(?:\s+(?!(?:{_PLACES}|there|es)\b)\S+){{1,3}}$"
        return [found.span() for found in re.finditer(stated, first)]
    ends = rf"(?=\s*$|\s+(?:{_PLACES}|{_STATES})\b)"
    placed = rf"(?i)\b{short['place']}\s+\S+(?:\s+\S+){{0,3}}?{ends}"
    found = [each.span() for each in re.finditer(placed, first)]
    return [span for span in found if all(span[0] != start for start, _ in times)]


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
    stands_alone = bool(second) and _stands_alone(second[0].query, asked.second)
    if not first or not (stands_alone or asked.is_completed):
        return ()
    if asked.refers or not stands_alone:
        return all_less_sure(first, UNANSWERED, left_out=asked.second)
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
