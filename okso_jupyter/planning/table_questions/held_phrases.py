"""Held phrases: what a question says that rows must have, and the question without it.

"Loans that were returned" are those whose date is there, "orders with a discount" those where it is
not 0, and "invoices still open" those without the date of their end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.flag_filters import UNDONE
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.stated_subject import NEVER_SUMMED
from okso_jupyter.planning.table_questions.stated_values import says_none, says_not_done
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import DONE, stem, tokens
from okso_jupyter.tables.query import Filter

_END: Final = r"(?=\W*$|\s+(?:per|to|je|pro|an|(?:for|für|von)(?!\s+\d))\s)"
_THAT: Final = r"(?:,?\s+(?:that|which|who|die|welche))?"
_ALREADY: Final = r"(?:\s+(?:already|so\s+far|by\s+now|yet|schon|bereits|bisher|worden))*"
_ARE: Final = (
    r"(?:(?:have|has|had)\s+been|were|was|are|is|got|have|has|wurden?|worden|sind|ist|haben|hat)"
)
_GERMAN: Final = r"(?:wurden?|worden|sind|ist|haben|hat)"
_AND: Final = r"\s*,?\s+(?:and|but|und|aber)"
#: "Picked up" is said of a column picked_up_on.
_PARTICLES: Final = frozenset("up off out in back down over".split())
_ANY_PARTICLE: Final = rf"(?:\s+(?:{'|'.join(sorted(_PARTICLES))}))?"
_GERMAN_WHICH: Final = r"(?:i[mn]|a[mn]|vo[mnr]|bis|seit|nach|zu[mr]?|durch|für|mit|pro|je)"
#: Each with the word for what was done, perhaps with a particle; what is to be kept is `kept`.
_DONE_PHRASES: Final = (
    rf"{_THAT}\s+{_ARE}{_ALREADY}\s+{{word}}{_ALREADY}{_END}",
    rf"{_THAT}{_ALREADY}\s+{{word}}{_ALREADY}\s+{_GERMAN}{_END}",
    # "were paid, but not shipped", of which the other one is found next
    (
        rf"(?P<kept>\s+{_ARE}){_ALREADY}\s+{{word}}{_AND}"
        rf"(?=(?:\s+(?:not|nicht|noch))*\s+[^\W\d_]+{_ANY_PARTICLE}\W*$)"
    ),
    # "wurden im März bezahlt", but not "am häufigsten" or "doppelt"
    (
        rf"\s+{_GERMAN}(?P<kept>\s+insgesamt|\s+{_GERMAN_WHICH}(?!\s+[^\W\d_]+sten\b)"
        rf"(?:\s+[^\W_]+\.?){{{{1,4}}}})\s+{{word}}{_END}"
    ),
)
_HAS: Final = (
    r"(?:with|having|have|has|had|got|received?|paid|(?:had|has|have)\s+to\s+pay|mit|haben|hat|"
    r"hatten?)"
)
_SOME: Final = r"(?:an?|any|some|(?:irgend)?eine?[nmr]?)"
_OF: Final = r"(?P<of>[^\W\d_]+(?:\s+[^\W\d_]+){0,2}?)"
_HELD_PHRASES: Final = (
    # "with a discount and a phone number", of which the other one is found next
    re.compile(rf"(?i)(?P<kept>{_THAT}\s+{_HAS})\s+{_SOME}\s+{_OF}{_AND}(?=\s+{_SOME}\s)"),
    re.compile(rf"(?i){_THAT}\s+{_HAS}\s+{_SOME}\s+{_OF}(?:{_END}|(?=\s+{_ARE}\s))"),
)
#: Participles that no ending tells, such as of a column left_on.
_IRREGULAR: Final = frozenset(
    "left seen taken retaken given done gone begun written made built held kept met won lost "
    "found".split()
)
#: The ending of a German participle: "bezahlte Rechnungen".
_INFLECTED: Final = re.compile(r"(?<=[tn])e[nmrs]?$")
#: Words that a name may have besides: "return date" of returned_on, "phone number" of phone.
_BESIDE_DATE: Final = frozenset(map(stem, ("date", "day", "datum", "tag")))
_BESIDE_TEXT: Final = frozenset(map(stem, ("number", "nummer", "address", "adresse")))
#: "Telefonnummer" is said of a column `telefon`.
_COMPOUND: Final = re.compile(r"(?i)(?<=[^\W\d_]{3})(?:nummer|adresse)\b")
#: What has not come to its end: "loans that are still out".
_STILL: Final = re.compile(
    rf"(?i){_THAT}(?:\s+(?:is|are|was|were|sind|ist))?\s+(?:still|noch)\s+"
    rf"(?P<state>out|open|pending|outstanding|offen|ausstehend){_END}"
)
#: Before rows that are left out: "without cancelled bookings".
_BUT: Final = re.compile(
    r"(?i)\b(?:without|excluding|except(?:\s+for)?|but|other\s+than|minus|ohne|außer)"
    r"(?:\s+(?:all|any|the|alle[nr]?|die|den))*\s*$"
)
#: Among the words that would be kept, "wurden von Beck nicht bezahlt".
_DENIES: Final = re.compile(r"(?i)\b(?:not|never|nicht|nie|kein\w*)\b")
#: Numbers of which 0 is one as any other.
_LEVELS: Final = re.compile(r"(?i)(?:scores?|points?|marks?|balance|punkte?|noten?|saldo)(?![a-z])")
#: What is called off, or asked for again, has not come to its end by that.
_NO_END: Final = re.compile(r"(?i)cancel|abgesagt|storn|gek(?:ü|ue)ndigt|remind|gemahnt|mahnung")
#: Not of those rows, but of when, of a share of all, or whether there are any.
_ASKS_OTHERWISE: Final = re.compile(
    r"(?i)\b(?:when|wann|whether|ob|how\s+(?:long|often)|wie\s+(?:lange|oft)|days?|tagen?|percent|"
    r"percentage|share|proportion|fraction|prozent|anteil|compare\w*|versus|vs)\b|"
    r"\b(?:is|are|was|were)\s+(?:still\s+)?left\b|"  # those that remain
    r"^\W*(?:are|is|was|were|has|have|sind|ist|war|wurden?|haben|hat)\b"
)


@dataclass(frozen=True, slots=True)
class Held:
    """What rows must have.

    Attributes:
        question: The question without it.
        condition: The condition.
    """

    question: str
    condition: Filter


def held_in(question: str, table: TableSample) -> Held | None:
    """Return the first thing that a question says rows must have; None if it says none."""
    if _ASKS_OTHERWISE.search(question):
        return None
    rules = (_done, _still_open, _had)
    return next((held for rule in rules if (held := rule(question, table))), None)


def without_open(question: str, table: TableSample) -> str:
    """Return a question without "that are still open", where a table tells what is."""
    held = _still_open(question, table)
    return held.question if held else question


def stems_of(word: str) -> set[str]:
    """Return the stems of a word in both languages, with umlauts as one letter and as two."""
    said = word.lower()
    spelt = said.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    return {stem(form) for form in (said, spelt, *in_english([said]))}


def _done(question: str, table: TableSample) -> Held | None:
    """Find what was done at a date that a column tells: "were returned", "returned loans"."""
    for word in re.findall(r"[^\W\d_]+", question):
        forms = {word.lower(), _INFLECTED.sub("", word.lower())}
        done = {form for form in forms if _is_participle(form)}
        for column in filter(_has_gaps, table.columns.values()):
            called = {*column.stems, *column.meanings}
            if all(stems_of(form).isdisjoint(called) for form in done):
                continue
            found = _phrase_of(f"{word}{_particle_of(column)}", question, table)
            if found and not says_not_done(question, called):
                return Held(_without(found, question), Filter(column.name, "is present"))
    return None


def _particle_of(column: ColumnSample) -> str:
    """Return the pattern of what may stand behind the participle that a column is called by."""
    own = sorted(_PARTICLES.intersection(column.name.lower().split("_")))
    return rf"(?:\s+(?:{'|'.join(own)}))?" if own else ""


def _is_participle(word: str) -> bool:
    is_regular = DONE.fullmatch(word.removeprefix("zurück")) is not None
    return is_regular or word in _IRREGULAR or word.endswith("iert")


def _phrase_of(word: str, question: str, table: TableSample) -> re.Match[str] | None:
    """Return the words that say what was done; a participle may stand beside the rows."""
    for each in _DONE_PHRASES:
        found = re.search(rf"(?i){each.format(word=word)}", question)
        if found and not _DENIES.search(found[0]):
            return found
    before = re.search(rf"(?i)\b{word}\s+(?=(?P<rows>[^\W\d_]+))", question)
    if before and not _BUT.search(question[: before.start()]):
        return None if stems_of(before["rows"]).isdisjoint(table.stems) else before
    behind = re.search(rf"(?i)\b(?P<kept>[^\W\d_]+)\s+{word}{_END}", question)
    amounts = {own for c in table.columns.values() if c.has_numbers for own in c.stems}
    is_of_rows = behind and not stems_of(behind["kept"]).isdisjoint({*table.stems, *amounts})
    return behind if is_of_rows else None


def _still_open(question: str, table: TableSample) -> Held | None:
    """Find what has not come to its end, where one column alone tells the end."""
    found = _STILL.search(question)
    if found is None or _is_value(found["state"], table):
        return None
    columns = [*table.columns.values()]
    ends = [*filter(_has_gaps, columns)]
    if len(ends) != 1 or _NO_END.search(ends[0].name) or not _is_end(ends[0], table):
        return None
    # an invoice is open that is not paid, and not where nobody was reminded of it
    if any(column.flags and not UNDONE.keys().isdisjoint(column.meanings) for column in columns):
        return None
    return Held(_without(found, question), Filter(ends[0].name, "is missing"))


def _is_end(end: ColumnSample, table: TableSample) -> bool:
    """Return whether dates are never before those of another column, which every row has."""
    starts = (c for c in table.columns.values() if c.kind == "date" and c.name != end.name)
    return any(
        all(
            first and (day is None or first <= day)
            for first, day in zip(start.dates, end.dates, strict=True)
        )
        for start in starts
    )


def _had(question: str, table: TableSample) -> Held | None:
    """Find what rows have of a column: "with a fine", "have a phone number"."""
    for phrase in _HELD_PHRASES:
        found = phrase.search(question)
        column = _column_of(found["of"], table) if found else None
        condition = _some_of(column) if column else None
        if not (found and column and condition) or says_none(question, column.stems):
            continue
        rest = _without(found, question)
        other = _HELD_PHRASES[-1].search(rest)
        # of two things both are columns, or the question is not understood
        if phrase is _HELD_PHRASES[-1] or (other and _column_of(other["of"], table)):
            return Held(rest, condition)
    return None


def _without(found: re.Match[str], question: str) -> str:
    kept = found.groupdict().get("kept") or ""
    return f"{question[: found.start()]}{kept}{question[found.end() :]}"


def _has_gaps(column: ColumnSample) -> bool:
    """Return whether a column tells when something was done, and that it was not done of some."""
    return column.kind == "date" and None in column.present


def _is_value(word: str, table: TableSample) -> bool:
    return any((word.lower(),) in column.values for column in table.columns.values())


def _column_of(named: str, table: TableSample) -> ColumnSample | None:
    """Return the one column that words name; None if there is none or another one, too."""
    for words in (named, _COMPOUND.sub("", named)):
        called = {stem(word) for word in tokens(in_words_of(words, table))}
        found = [column for column in table.columns.values() if _is_called(called, column)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _is_called(called: set[str], column: ColumnSample) -> bool:
    """Return whether words name a column."""
    beside = _BESIDE_DATE if column.kind == "date" else _BESIDE_TEXT
    return called <= {*column.stems, *beside} and not called.isdisjoint(column.stems)


def _some_of(column: ColumnSample) -> Filter | None:
    """Return the condition that a column has something; None where every row has, or says yes."""
    if column.flags is not None:
        return None
    # 0 degrees are a temperature, and a balance may be below 0
    is_level = any(pattern.search(column.name) for pattern in (NEVER_SUMMED, _LEVELS))
    is_level = is_level or any(number is not None and number < 0 for number in column.numbers)
    if column.has_numbers and 0.0 in column.numbers and not is_level:
        return Filter(column.name, ">", 0)
    return Filter(column.name, "is present") if None in column.present else None
