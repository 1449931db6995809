"""Elapsed words: questions about the time between two dates of each row.

"How long from intake to adoption", "which invoice took longest to get paid", "wie lange dauerte es
im Schnitt": the difference of two columns of dates is a column that is computed, in days, and the
question is asked of that column.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from typing import Final

from okso_jupyter.planning.table_questions.adjectives import DURATIONS
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.spoken_formulas import ComputedQuestion
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import header_words, stem, tokens
from okso_jupyter.tables.column_kinds import SECONDS_OF_DAY
from okso_jupyter.tables.query import ComputedColumn, Filter

_DAYS: Final = "duration_days"
#: What stands for the computed column in a question: its unit would be a part of dates.
_CALLED_BY: Final = "duration"
_PAIR: Final = 2
#: A unit of time in days, and what it is called.
_UNITS: Final = {
    "minutes": (1 / 1440, "minute minutes minuten"),
    "hours": (1 / 24, "hour hours stunde stunden"),
    "days": (1.0, "day days tag tage tagen"),
    "weeks": (7.0, "week weeks woche wochen"),
    "months": (30.4375, "month months monat monate monaten"),
    "years": (365.25, "year years jahr jahre jahren"),
}
_CALLED: Final = {word: unit for unit, (_, words) in _UNITS.items() for word in words.split()}
_UNIT: Final = rf"(?:{'|'.join(sorted(_CALLED, key=len, reverse=True))})"
#: Both ends of a time: "from intake to adoption", "zwischen Eingang und Ausgang".
_SPAN: Final = re.compile(
    r"(?i)\b(?:(?:from|von|vom)\s+(?P<left>[^?.!,;]{2,30}?)\s+(?:until|till|to|bis)(?:\s+zu[mr]?)?|"
    r"(?:between|zwischen)\s+(?P<first>[^?.!,;]{2,30}?)\s+(?:and|und))\s+"
    r"(?:(?:the|its|their|being|getting|d(?:er|ie|as|em|en))\s+)*(?P<right>[^\W\d_]\w*)"
)
_HOW_LONG: Final = re.compile(
    rf"(?i)\b(?:how\s+(?:long|quickly|fast)|how\s+many\s+(?P<unit>{_UNIT})|how\s+much\s+time|"
    rf"wie\s+(?:lange?|schnell)|wie\s*viele?\s+(?P<einheit>{_UNIT})|wie\s*viel\s+zeit)\b"
)
_VERB: Final = (
    r"(?:takes?|took|taken|needs?|needed|lasts|lasted|waits?|waited|pass(?:es|ed)?|"
    # "last month" is no verb
    r"(?<!the )last(?=\s*(?:$|[?.,;!])|"
    r"\s+(?:on|per|in|at|from|for|by|until|longe\w+|the|more|less)\b)|"
    r"(?:ge)?dauer(?:n|t|te|ten)|brauch(?:t|te|en|ten)|gebraucht|warte(?:n|t|te|ten)|gewartet|"
    r"vergeh(?:t|en)|verg[ai]ngen?|liegen|lagen)"
)
#: Words before "time" or "Zeit" that make something else of it: "part-time", "over time".
_NO_TIME: Final = "".join(
    rf"(?<!{word})"
    for word in (
        "first[ -]", "last[ -]", "next[ -]", "this[ -]", "same[ -]", "part[ -]", "full[ -]",
        "half[ -]", "real[ -]", "on[ -]", "over ", "in[ -]", "at ", "some", "each ", "every ",
        "laufe der ", "mit der ", "über die ", "zur ",
    )
)  # fmt: skip
_NO_ZEIT: Final = (
    r"(?!(?:uhr|teil|voll|alters?teil|halbtags|hoch|mahl|jahres|frei|tages|arbeits|öffnungs|schul|"
    r"neu|gleich|mahl)zeit\b)"
)
#: A time as a noun, which a statistic is of: "the average loan duration", "mittlere Bauzeit".
_NOUN: Final = re.compile(
    rf"(?i)\b(?:durations?|turnaround|waits?|{_NO_TIME}time(?!\s+of\b)|"
    rf"[^\W\d_]*dauer|{_NO_TIME}{_NO_ZEIT}[^\W\d_]*zeit)\b"
)
#: What groups or chooses rows, and is measured by nobody: "per floor", "with a price over 10".
_OF_ROWS: Final = re.compile(
    r"(?i)\b(?:(?:per|by|each|every|pro|je|jede[rsnm]?|nach)\s+\S+|(?:with|where|whose|mit|deren)\b.*)"
)
#: A unit that a time is counted in. Behind other words it groups rows or chooses some.
_NUMBER_OF: Final = re.compile(
    r"(?i)(?P<before>\b(?:per|by|each|every|an?|the|last|past|next|this|pro|je|nach|"
    r"(?:jede|diese|letzte|vorige|nächste|vergangene)[rsnm]?|im|vom?|\d+)\s+)?"
    r"\b(?:(?P<stat>average|mean|median|maximum|minimum|longest|shortest|total)\s+|in\s+)?"
    rf"(?:number\s+of\s+)?(?P<unit>{_UNIT})\b"
)
#: "Last month" as an adverb, which is read like "in the last month".
_LAST: Final = re.compile(rf"(?i)(?<!the )(?<!in )\b(?=(?:last|past)\s+{_UNIT}\b)")
_STATISTICS: Final = {
    function: re.compile(rf"(?i)\b(?:(?:the|die|der|das)\s+)?(?:{words})\b")
    for function, words in (
        ("average", (
            r"on\s+(?:an\s+)?average|average|avg|mean|typical(?:ly)?|usual(?:ly)?|normally|"
            r"im\s+(?:durch)?schnitt|im\s+mittel|durchschnitt\w*|mittler\w+|normalerweise|"
            r"üblicherweise"
        )),
        ("median", r"(?:im\s+)?median"),
        ("maximum", r"at\s+(?:most|worst)|longest|maximum|höchstens|maximal\w*|längste[nr]?"),
        ("minimum", r"at\s+(?:least|best)|shortest|minimum|mindestens|minimal\w*|kürzeste[nr]?"),
        ("total", r"in\s+total|total|altogether|insgesamt|gesamte?"),
    )
}  # fmt: skip
_LONGEST: Final = r"longest|slowest|längsten|langsamsten"
_SHORTEST: Final = r"shortest|fastest|quickest|soonest|kürzesten|schnellsten"
#: The row that took longest: "took longest", "was kept the longest", "hat am längsten gedauert".
#: "The longest title" is of no time.
_END: Final = re.compile(
    rf"(?i)\b(?:(?:it|es)\s+)?(?:{_VERB}\s+)?"
    rf"(?:am\s+(?:(?P<lang>{_LONGEST})|{_SHORTEST})|(?:the\s+)?(?:(?P<long>{_LONGEST})|{_SHORTEST})"
    rf"(?=\s*$|\s*[?.,;!]|\s+(?:to|between|from|until|in|on|of|for|per|and|{_VERB}|\w+ed)\b))"
    rf"(?:\s+{_VERB})?\b"
)
_LONG_THING: Final = re.compile(r"(?i)\b(?:(?:long|short)est|(?:läng|kürze)ste[rsnm]?)\s+[^\W\d_]")
_WHICH: Final = re.compile(
    r"(?i)^\W*(?:(?:for|with|bei|für|an|in)\s+)?(?:which|what|who|whose|welche\w*|wer|wessen|"
    r"the|die|der|das|show|list|name|zeige?|nenne?|liste|top)\b"
)
_NUMBER_WORDS: Final = {
    word: str(value)
    for value, words in (
        (1, "a an one ein eine einen einem einer"), (2, "two zwei"), (3, "three drei"),
        (4, "four vier"), (5, "five fünf"), (6, "six sechs"), (10, "ten zehn"),
    )
    for word in words.split()
}  # fmt: skip
#: "More than 30 days", "länger als zwei Wochen".
_BEYOND: Final = re.compile(
    rf"(?i)\b(?:{_VERB}\s+)?(?:(?:in|for|within|after|nach)\s+)?(?:(?P<more>more|longer|mehr|länger)|"
    rf"less|fewer|shorter|quicker|weniger|kürzer|schneller)\s+(?:than|als)\s+"
    rf"(?P<count>\d+|{'|'.join(_NUMBER_WORDS)})\s+(?P<unit>{_UNIT})(?:\s+{_VERB})?\b"
)
#: Since a day or until today: of one date, and no time between two.
_OPEN: Final = re.compile(
    r"(?i)\b(?:since|ago|seit(?:dem)?|until\s+now|so\s+far|bisher|bislang|still|noch|today|heute|"
    r"been\b.*\blongest|how\s+(?:often|old))\b"
)
_SORTED: Final = re.compile(r"(?i)^\W*(?:please\s+)?(?:sort|rank|order|sortiere?)\b")
_EACH: Final = re.compile(
    r"(?i)(?:each|every|jede[rsnm]?)\s+(?:single\s+)?(?P<noun>[^\W\d_]+)(?:\s+in\s+\S+\.\w+)?"
)
#: Words of a sentence about time that say nothing more once the column stands for it.
_FILLER: Final = re.compile(
    rf"(?i)\b(?:what|do|does|did|it|there|es|{_VERB}|until|till|to|be|been|being|gets?|got|(?:zu[rm]?)|"
    r"is|was|are|were|ist|war|sind|waren|has|have|had|hat|haben|bis|it)\b"
)
#: Rows in which a time ends after it begins.
_MOSTLY: Final = 0.9


def elapsed_asked(question: str, table: TableSample) -> ComputedQuestion | None:
    """Return a question about the time between two dates of each row; None for any other."""
    dates = [column for column in table.columns.values() if column.kind == "date"]
    if len(dates) < _PAIR or _DAYS in table.columns or _OPEN.search(question):
        return None
    span = _SPAN.search(question)
    ends = _ends_named(span, dates, table) if span else None
    if span and ends:
        question = f"{question[: span.start()]} {question[span.end() :]}"
    elif _is_of_time(question, table):
        ends = _in_order(dates)
    return _asked_of(question, ends, table) if ends else None


def _is_of_time(question: str, table: TableSample) -> bool:
    """Return whether a question that names no two dates asks how long something took."""
    if any(c.has_numbers and not DURATIONS.isdisjoint(c.stems) for c in table.columns.values()):
        return False  # a column holds it
    if _LONG_THING.search(question) and not (_END.search(question) or _NOUN.search(question)):
        return False  # "how long is the longest title"
    how = _HOW_LONG.search(question)
    if how and (how["unit"] or how["einheit"]):
        return re.search(rf"(?i)\b{_VERB}\b|\b(?:until|till|bis)\b", question) is not None
    is_statistic = _is_statistic(question, table)
    is_end = _END.search(question) and _WHICH.search(question)
    return bool(how or is_statistic or is_end or _BEYOND.search(question))


def _is_statistic(question: str, table: TableSample) -> bool:
    """Return whether a statistic is asked for of a time, and of no column of numbers beside it."""
    if not _NOUN.search(question):
        return False
    said = {stem(word) for word in tokens(in_words_of(_OF_ROWS.sub(" ", question), table))}
    numbers = [c for c in table.columns.values() if c.has_numbers and not c.is_key]
    is_other = any(not said.isdisjoint(column.stems) for column in numbers)
    return not is_other and any(each.search(question) for each in _STATISTICS.values())


def _ends_named(
    span: re.Match[str], dates: Sequence[ColumnSample], table: TableSample
) -> tuple[ColumnSample, ColumnSample] | None:
    """Return the columns of dates that both ends of a time are called by, the earlier first.

    Of two columns of dates one is enough.
    """
    called = [_called(span["left"] or span["first"], dates, table)]
    called.append(_called(span["right"], dates, table))
    named = {column.name for column in called if column}
    if len(dates) == _PAIR and len(named) == 1 and None in called:
        return _in_order(dates)
    left, right = called
    return _in_order([left, right]) if left and right and left is not right else None


def _called(text: str, dates: Sequence[ColumnSample], table: TableSample) -> ColumnSample | None:
    """Return the only column of dates that a text names."""
    words = {stem(word) for word in tokens(in_words_of(text, table))}
    found = [column for column in dates if not words.isdisjoint(column.stems)]
    return found[0] if len(found) == 1 else None


def _in_order(dates: Sequence[ColumnSample]) -> tuple[ColumnSample, ColumnSample] | None:
    """Return two columns of dates, the earlier first; None if neither is."""
    if len(dates) != _PAIR:
        return None
    first, last = dates
    gaps = _gaps(first, last)
    later = sum(gap >= 0 for gap in gaps)
    if not gaps or later >= _MOSTLY * len(gaps):
        return first, last
    return (last, first) if later <= (1 - _MOSTLY) * len(gaps) else None


def _gaps(first: ColumnSample, last: ColumnSample) -> list[float]:
    """Return the days between two dates of each row that has both."""
    pairs = zip(first.keys, last.keys, strict=True)
    return [(b - a) / SECONDS_OF_DAY for a, b in pairs if a is not None and b is not None]


def _asked_of(
    question: str, ends: tuple[ColumnSample, ColumnSample], table: TableSample
) -> ComputedQuestion:
    """Return a question in which a computed column stands for the time between two dates."""
    beyond = _BEYOND.search(question)
    unit = _CALLED[beyond["unit"].lower()] if beyond else _unit_of(question, ends)
    computed = _columns(unit, ends)
    question = _without_ends(question, ends, table)
    present = tuple(Filter(c.name, "is present") for c in ends if None in c.present)
    beyond, end = _BEYOND.search(question), _END.search(question)
    if beyond:
        count = _NUMBER_WORDS.get(beyond["count"].lower(), beyond["count"])
        sign = "more" if beyond["more"] else "less"
        said = f"with {_CALLED_BY} {sign} than {count}"
        return ComputedQuestion(computed, _put(question, beyond, said))
    if end and _WHICH.search(question):
        size = "highest" if end["long"] or end["lang"] else "lowest"
        said = _put(question, end, f"with the {size} {_CALLED_BY}")
        return ComputedQuestion(computed, _FILLER.sub(" ", said), present)
    return ComputedQuestion(computed, _measured(question, computed[-1].name, table), present)


def _put(question: str, found: re.Match[str], said: str) -> str:
    """Return a question in which other words stand for some."""
    return " ".join(f"{question[: found.start()]} {said} {question[found.end() :]}".split())


def _unit_of(question: str, ends: tuple[ColumnSample, ColumnSample]) -> str:
    """Return the unit that a question counts, or one that fits the times."""
    how = _HOW_LONG.search(question)
    counted = how and (how["unit"] or how["einheit"])
    said = next((f["unit"] for f in _NUMBER_OF.finditer(question) if f["stat"]), None)
    if counted or said:
        return _CALLED[(counted or said or "").lower()]
    gaps = _gaps(*ends)
    return "hours" if gaps and 0 < statistics.median(gaps) < 1 else "days"


def _columns(unit: str, ends: tuple[ColumnSample, ColumnSample]) -> tuple[ComputedColumn, ...]:
    """Return the columns that hold the time between two dates in a unit, the last one."""
    first, last = ends
    days = ComputedColumn(_DAYS, last.name, "-", first.name)
    size, _ = _UNITS[unit]
    if unit == "days":
        return (days,)
    name = f"duration_{unit}"
    made = (
        ComputedColumn(name, _DAYS, "/", size)
        if size > 1
        else ComputedColumn(name, _DAYS, "*", round(1 / size))
    )
    return (days, made)


def _without_ends(
    question: str, ends: tuple[ColumnSample, ColumnSample], table: TableSample
) -> str:
    """Return a question without the words for both dates: "took longest to get paid".

    An invoice is what another column numbers, and no day when something was invoiced.
    """
    dates = {each for column in ends for each in column.stems}
    others = [column for column in table.columns.values() if column not in ends]
    kept = []
    for word in question.split():
        said = tokens(word)
        if dates.isdisjoint(map(stem, said)):
            kept.append(word)
            continue
        named = [c.name for c in others if not set(said).isdisjoint(header_words(c.name))]
        if named or not set(table.stems).isdisjoint(map(stem, said)):
            kept.append(named[0] if named else word)
    return re.sub(r"(?i)\bto\s+(?:be|get|being)\b", " ", " ".join(kept))


def _measured(question: str, name: str, table: TableSample) -> str:
    """Return a question for a statistic of a column, or for its value in the row that is named."""
    if _SORTED.search(question):
        return _NOUN.sub(_CALLED_BY, question, count=1)
    function = ""
    for called, pattern in _STATISTICS.items():
        if not function and pattern.search(question):
            function, question = called, pattern.sub(" ", question, count=1)
    rest = _without_unit(_NOUN.sub(" ", _HOW_LONG.sub(" ", question)))
    rest = _LAST.sub("in the ", " ".join(_FILLER.sub(" ", rest).split()))
    each = _EACH.fullmatch(rest.strip(" ?."))
    if each and _names_rows(stem(each["noun"].lower()), table):
        return f"show {name}"
    if not function and not _names_row(rest, table):
        function = "average"
    said = f"{function} {_CALLED_BY}" if function else f"{_CALLED_BY} of"
    return f"what is the {said} {rest}"


def _without_unit(question: str) -> str:
    """Return a question without the unit that a time is counted in, and with that of its groups."""
    return _NUMBER_OF.sub(lambda found: found[0] if found["before"] else " ", question)


def _names_rows(noun: str, table: TableSample) -> bool:
    """Return whether rows are called by a noun, or each has its own value in a column of it."""
    named = [column for column in table.columns.values() if noun in column.stems]
    return any(column.names_rows for column in named) or (not named and noun in table.stems)


def _names_row(text: str, table: TableSample) -> bool:
    """Return whether a text names one row by its own value in some column."""
    said = tokens(text)
    runs = {said[a:b] for a in range(len(said)) for b in range(a + 1, len(said) + 1)}
    return any(
        len(rows) == 1
        for column in table.columns.values()
        for value, rows in column.places.items()
        if value in runs
    )
