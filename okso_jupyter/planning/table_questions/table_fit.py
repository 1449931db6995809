"""Table fit: which words of a question a table has, in its name, its columns and its cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.number_words import GERMAN
from okso_jupyter.planning.table_questions.adjectives import meaning_of, means, measured
from okso_jupyter.planning.table_questions.asked_persons import holds_persons
from okso_jupyter.planning.table_questions.clock_times import clock_places
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.computed_words import paid_columns, paid_places
from okso_jupyter.planning.table_questions.cue_words import CUES
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.held_phrases import without_open
from okso_jupyter.planning.table_questions.number_filters import sold_out_filters
from okso_jupyter.planning.table_questions.said_units import places_of_units
from okso_jupyter.planning.table_questions.sorting_words import KINDS_OF_ORDER, sorting_places
from okso_jupyter.planning.table_questions.spoken_parts import WEEKDAYS
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.stated_values import stated_comparisons
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.value_filters import named_places
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.word_meanings import FALSE_FRIENDS
from okso_jupyter.planning.table_questions.words import (
    DONE,
    MONTHS,
    NO_VALUES,
    STOP,
    QuestionWords,
    header_words,
    row_stems,
    stem,
    tokens,
)

#: What the file's name or a cell of several words weighs beside a column or a cell of one word.
_NAME_WEIGHT: Final = 2
_LEAST_PREFIX: Final = 4
_SHORTEST_PART: Final = 4
#: Words that tell nothing of what a question is about.
_GENERAL: Final = (
    frozenset(
        "us them they their his her him she he one ones both please just only still yet ever never "
        "already also too so far again together zusammen altogether overall whole entire really "
        "actually number numbers amount amounts got get took take taken made went not dont "
        "didnt isnt arent wasnt hasnt havent alphabetically chronologically reihenfolge "
        "sortiert".split()
    )
    | KINDS_OF_ORDER
)
SUPERLATIVE: Final = re.compile(
    r"(?i)\b(?:\w{2,}est|most|least|best|worst|first|last|\w{3,}ste[nrs]?)\b"
)
#: Ends that name no column whose name has further words: "best" is no best_before.
_ENDS: Final = frozenset({"best", "worst", "most", "least"})
_ENDS_OF_TIME: Final = frozenset({"first", "last"})
_PEOPLE: Final = frozenset({"who", "whose", "people", "persons", "anyone", "somebody", "everyone"})
_HOURS: Final = frozenset({"hour", "hours"})
#: Words for times that are no months.
_OF_TIME: Final = WEEKDAYS.keys() | set(
    "half halbjahr quarter quartal month week weekday day year".split()
)
_YEAR: Final = re.compile(r"(?:1[89]|20|21)\d\d")
#: Stems of files' names that say nothing about their content.
_PLAIN_NAMES: Final = frozenset(
    "data tabl export report test list day daili week weekli month monthli year yearli".split()
)
_LISTINGS: Final = frozenset({"listing", "listings"})
#: What somebody earns is in no payments.csv: "the highest paid employee".
_EARNS: Final = re.compile(
    r"(?i)\b(?:\w+est|best)[ -]paid\b|"
    r"\b(?:is|are|gets?|being)\s+paid\s+(?:the\s+)?(?:most|least|more|less|best)\b"
)


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a table fits a question.

    Attributes:
        source: The table's file.
        evidence: The columns and cells that the question names, and `_NAME_WEIGHT` for the file.
        share: Share of the question's words that name any of them.
        words: The number of these words.
        left: The number of words that name something else, or nothing.
        is_first: Whether the first word that names something is among those of the table.
        columns: The table's columns.
        literal: The number of words of the question that its header has, not counting synonyms.
        is_counted: Whether a cell is what is counted: "how many dogs came in".
        meant: The number of adjectives of which it has the first meaning that any table has.
    """

    source: str
    evidence: int
    share: float
    words: int = 0
    left: int = 0
    is_first: bool = False
    columns: tuple[str, ...] = ()
    literal: int = 0
    is_counted: bool = False
    meant: int = 0

    @property
    def rank(self) -> tuple[int, float, int, int, int]:
        """What is greater for the better fit."""
        return self.evidence, self.share, self.meant, self.literal, -self.left


@dataclass(slots=True)
class _Evidence:
    """The words of a question that a table has.

    Attributes:
        weight: How much they tell.
        taken: Their places.
        cells: Those of cells.
    """

    weight: int = 0
    taken: set[int] = field(default_factory=set)
    cells: set[int] = field(default_factory=set)

    def add(self, places: Collection[int], weight: int = 1) -> None:
        """Take further words, which tell something if they were not all taken before."""
        self.weight += weight if set(places) - self.taken else 0
        self.taken.update(places)


def fit_of(request: str, table: TableSample, others: Sequence[TableSample] = ()) -> Fit:
    """Return how well a table fits a request; the names of tables joined to it count as one.

    Args:
        request: The request.
        table: The table.
        others: Other tables, whose columns are no misspelt ones, and may be what is sorted by.
    """
    request = without_open(request, table)
    header = {stem(word) for word in table.header_words - STOP - _ENDS}
    said = {stem(word) for word in tokens(request)}
    literal = len(header & said)
    # words of the columns' and the file's names may be misspelt
    elsewhere = frozenset().union(*(other.single_names for other in others))
    request = in_words_of(request, table, by_verbs=True, elsewhere=elsewhere)
    own_words = {*table.header_words, *header_words(PurePosixPath(table.source).stem)}
    question = QuestionWords(request, own_words, shipped_weights().words, elsewhere)
    every = [column for each in (table, *others) for column in each.columns.values()]
    content = _content_places(question)
    evidence = _evidence(request, question, table, sorting_places(question, every), content)
    if stated_comparisons(request) and _names_number(said, table):
        # "scores above 90" tells as much as a column and one of its cells
        evidence.weight += 1
    taken = evidence.taken
    known = shipped_weights().words
    telling = {
        place
        for place in content
        if known.isdisjoint((question.raw[place], question.english[place]))
    }
    share = len(taken) / len(telling | taken) if taken else 0.0
    is_first = bool(taken) and min(content | taken) in taken
    left, names = len(content - taken), tuple(table.columns)
    return Fit(
        table.source, evidence.weight, share, len(taken), left, is_first, names, literal,
        is_counted=_counted_place(question) in evidence.cells,
        meant=_meanings_had(question, table, every),
    )  # fmt: skip


def _counted_place(question: QuestionWords) -> int:
    """Return the place of what is counted, as in "how many dogs"; -1 if nothing is."""
    return question.english.index("many") + 1 if "many" in question.english else -1


def _meanings_had(
    question: QuestionWords, table: TableSample, every: Sequence[ColumnSample]
) -> int:
    """Return of how many adjectives a table has what they mean first: the largest, a size."""
    found = [meaning_of(word, every) for word in question.english]
    own = table.columns.values()
    return sum(any(means(each[1], column) for column in own) for each in found if each)


def _evidence(
    request: str, question: QuestionWords, table: TableSample, sorts: set[int], content: set[int]
) -> _Evidence:
    """Return the words that a table has: of its name, columns, cells, persons, times and money."""
    found, of_persons = _Evidence(), set[int]()
    named = places_of_file(question, table.source) - sorts
    found.add(named, _NAME_WEIGHT)
    for join in table.made_of.joins:
        found.add(places_of_file(question, join.source) - sorts)
    for column in table.columns.values():
        own = _column_places(question, column) - sorts
        found.add(own)
        cells = _cells_said(request, question, column, content)
        for sold_out in sold_out_filters(question, column):
            found.add(sold_out.places)
        longest = max((len(run - found.taken) for run in cells), default=0)
        found.add(frozenset().union(*cells), min(longest, _NAME_WEIGHT))
        found.cells.update(*cells)
        of_persons |= set() if PERSONS.isdisjoint(column.stems) else set().union(*cells)
    if content - found.taken and found.taken <= named - _noun_places(question, table.source):
        # umbrellas that were sold are in no sales.csv that does not know them
        found = _Evidence()
    if found.taken - of_persons:
        # of whom, beside what is no name: "Who is in HR?", not "Who is Ada?"
        found.add(_person_places(question, table))
    times, paid = _time_places(question, table), paid_places(question, table)
    # "revenue in May" tells the table alone, if nothing else is named
    tells = bool(paid and (times or paid_columns(table))) and content <= times | paid
    for beside in (times, paid):
        if found.taken or tells:
            found.add(beside)
    return found


def _names_number(said: Collection[str], table: TableSample) -> bool:
    """Return whether one of some stems is of a column of numbers, and not only means it."""
    return any(c.has_numbers and not set(c.stems).isdisjoint(said) for c in table.columns.values())


def _cells_said(
    request: str, question: QuestionWords, column: ColumnSample, content: set[int]
) -> list[frozenset[int]]:
    """Return the places of each cell of a column that is named, wholly or by a longer word."""
    is_number = column.kind == "number"  # "7A" of a class is none
    whole = [] if is_number else [*_cell_places(request, question, column)]
    return whole or [*_part_places(question, content, column)]


def places_of_file(question: QuestionWords, file: str) -> set[int]:
    """Return the places of the words that are a word of the file's name, or what is done."""
    name = PurePosixPath(file).stem
    verbs = {
        place
        for place in _verb_places(question)
        for own in header_words(name)
        if are_akin(question.raw[place], own)
    }
    named = _noun_places(question, file) | verbs
    return {place for place in named if question.raw[place] not in FALSE_FRIENDS}


def _noun_places(question: QuestionWords, file: str) -> set[int]:
    # a listing has the stem of a list, and of what is asked for
    called = {stem(word) for word in header_words(PurePosixPath(file).stem) if word in _LISTINGS}
    words = frozenset(filter(str.isalpha, row_stems(file))) - (_PLAIN_NAMES - called) | called
    pairs = enumerate(zip(question.stems, question.raw, strict=True))
    return {p for p, (root, word) in pairs if root in words and word not in {"list", "lists"}}


def _verb_places(question: QuestionWords) -> set[int]:
    """Return the places of what was done: "bought", and "buy" behind "did"."""
    if _EARNS.search(question.text):
        return set()
    raw = question.raw
    did = raw.index("did") if "did" in raw else len(raw)
    return {place for place, word in enumerate(raw) if place > did or DONE.fullmatch(word)}


def _column_places(question: QuestionWords, column: ColumnSample) -> set[int]:
    """Return the places of the words that name a column, or what it measures ("expensive")."""
    measures = measured(question.english)
    found = set()
    for place, (word, root) in enumerate(zip(question.english, question.stems, strict=True)):
        # "unpaid" is of what is paid
        forms = (root, root.removeprefix("un"))
        # "the best item" is of no column best_before
        is_part = word in _ENDS and len(column.stems) > 1
        is_named = not is_part and any(_names(form, own) for form in forms for own in column.stems)
        # first and last are of any date
        is_meant = word not in _ENDS_OF_TIME and meaning_of(word, [column]) is not None
        is_measured = not measures.get(place, frozenset()).isdisjoint(column.stems)
        if word not in STOP and (is_named or is_meant or is_measured):
            found.add(place)
    return found | places_of_units(question, column)


def _time_places(question: QuestionWords, table: TableSample) -> set[int]:
    """Return the places of years, months and other times, if the table has dates or times."""
    columns = table.columns.values()
    timed = any(column.clock_length or column.has_times for column in columns)
    clock = clock_places(question) if timed else set()
    if not any(column.kind == "date" for column in columns):
        return clock
    return clock | {
        place
        for place, word in enumerate(question.english)
        if (word in MONTHS and question.raw[place] != "may")  # "may" is a verb, too
        or word in _OF_TIME
        or (timed and word in _HOURS)
        or _YEAR.fullmatch(word)
    }


def _person_places(question: QuestionWords, table: TableSample) -> set[int]:
    """Return the places of the words for persons, if the table has a column of them."""
    # who has not paid is told by a column of guests; who has paid, by little
    is_denied = "not" in question.english and _has_persons(table)
    if PERSONS.isdisjoint(table.header_words) and not is_denied:
        return set()
    return {place for place, word in enumerate(question.english) if word in _PEOPLE}


def _has_persons(table: TableSample) -> bool:
    """Return whether a column of texts holds persons in either language: `Gast`, `Verkoster`."""
    return any(c.kind == "text" and holds_persons(c) for c in table.columns.values())


def _names(stem: str, own: str) -> bool:
    """Return whether a stem is that of a column's name, or of what it is short for ("temp")."""
    return stem == own or (len(own) >= _LEAST_PREFIX and stem.startswith(own))


def _cell_places(
    request: str, question: QuestionWords, column: ColumnSample
) -> Iterator[frozenset[int]]:
    """Yield the places of each cell; one like "IT" must be written as such."""
    written = set(re.findall(r"\w+", request))
    for places in named_places(question, column):
        said = [question.raw[place] for place in sorted(places)]
        is_name = not NO_VALUES.issuperset(said) or " ".join(said).upper() in written
        if is_name and any(word.isalpha() for word in said):
            # "tunings did I do in" is the cell "Tuning" as much as its one word
            yield frozenset(p for p in places if question.raw[p] not in STOP) or places


def _part_places(
    question: QuestionWords, content: set[int], column: ColumnSample
) -> Iterator[frozenset[int]]:
    """Yield the places of longer words that are half of a cell or more: "Huber" of "Huber AG"."""
    said = {question.raw[p]: p for p in content if len(question.raw[p]) >= _SHORTEST_PART}
    if said and column.kind == "text":
        for value in column.places:
            hit = [said[word] for word in value if word in said]
            if hit and 2 * len(hit) >= len([word for word in value if word not in STOP]):
                yield frozenset(hit)


def _content_places(question: QuestionWords) -> set[int]:
    """Return the places of the words that name something."""
    return {
        place
        for place, word in enumerate(question.raw)
        if word.isalpha()
        and STOP.isdisjoint({word, question.english[place]})
        and _GENERAL.isdisjoint({word, question.english[place]})
        and CUES.isdisjoint({word, question.stems[place], question.english[place]})
        and stem(question.english[place]) not in CUES
        and MONTHS.keys().isdisjoint({word, question.english[place]})
        and not SUPERLATIVE.fullmatch(word)
        and place not in question.numbers
        and word not in GERMAN
        and question.raw[max(0, place - 1) : place + 1] != ("wie", "hoch")
    }
