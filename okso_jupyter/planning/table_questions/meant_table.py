"""Meant tables: the one table of the folder that a question is about without naming its file.

People ask "Which product sells best?" beside orders.csv. The words of the question that name the
file, a column or a cell tell which table is meant; where two fit as well, none is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request.facts import Facts, is_site, paths_beneath
from okso_jupyter.planning.request.wording import paths
from okso_jupyter.planning.table_questions.adjectives import meaning_of, measured
from okso_jupyter.planning.table_questions.clock_times import clock_places
from okso_jupyter.planning.table_questions.column_words import DONE, FALSE_FRIENDS, in_words_of
from okso_jupyter.planning.table_questions.computed_words import REVENUE, paid_columns, paid_places
from okso_jupyter.planning.table_questions.cue_words import CUES
from okso_jupyter.planning.table_questions.filters import named_places
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.recognition import (
    asks,
    asks_of_log,
    asks_per,
    is_of_rows,
)
from okso_jupyter.planning.table_questions.spoken_parts import WEEKDAYS
from okso_jupyter.planning.table_questions.stated_subject import PERSONS
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.word_families import are_akin
from okso_jupyter.planning.table_questions.words import (
    MONTHS,
    NO_VALUES,
    STOP,
    QuestionWords,
    header_stems,
    header_words,
    stem,
    tokens,
)
from okso_jupyter.tables import file_kinds

_MOST_FILES: Final = 40
#: Files that are read by a process although nothing names them, and the size of the largest.
_MOST_OTHERS, _MOST_BYTES = 5, 1 << 21
#: The line below the header of a Markdown table.
_TABLE_OF_NOTES: Final = re.compile(rb"(?m)^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|")
#: What the file's name or a cell of several words weighs beside a column or a cell of one word.
_NAME_WEIGHT: Final = 2
_ENOUGH: Final = 2
_LEAST_PREFIX: Final = 4
#: Least share of the question's words that the table has: for enough evidence, and for one column.
_LEAST_SHARE, _LEAST_SHARE_ALONE = 0.4, 0.33
#: More than this share of a phrase's words are of the table.
_LEAST_SHARE_PHRASE: Final = 0.5
_SHORTEST_PART: Final = 4
#: What an order is, in "in alphabetical order".
_KINDS_OF_ORDER: Final = frozenset(
    "alphabetical alphabetic chronological numerical numeric ascending descending increasing "
    "decreasing rising falling reverse reversed sorted random alphabetisch alphabetischer "
    "chronologisch chronologischer aufsteigend absteigend".split()
)
#: Words that tell nothing of what a question is about.
_GENERAL: Final = (
    frozenset(
        "us them they their his her him she he one ones both please just only still yet ever never "
        "already also too so far again together zusammen altogether overall whole entire really "
        "actually number numbers amount amounts got get took take taken made went not dont "
        "didnt isnt arent wasnt hasnt havent alphabetically chronologically reihenfolge "
        "sortiert".split()
    )
    | _KINDS_OF_ORDER
)
#: Words of a question about files, the future, or what the person or the session can do.
_OTHER: Final = re.compile(
    r"(?i)\b(?:files?|folders?|director(?:y|ies)|documents?|dateien?|ordner|readme|"
    r"will|next (?:day|week|month|quarter|year)|forecast|future|"
    r"you|your|today|tomorrow|heute|morgen|internet|website|page)\b"
)
#: "the table", where there is one table.
_THE_TABLE: Final = re.compile(
    r"(?i)\b(?:the|this|my|our|der|die|das)\s+(?:csv|table|data|dataset|data\s?frame|spreadsheet|"
    r"excel|tabelle|daten)\b"
)
#: The tables of a database, and not the rows of one.
_OF_TABLES: Final = re.compile(
    r"(?i)\b(?:(?:which|what|list|show|how many|number of)\s+(?:\w+\s+){0,2}tables|"
    r"(?:welche|wie viele|zeige?|liste)\s+(?:\w+\s+)?tabellen)\b"
)
_OF_LOG: Final = re.compile(r"(?i)\b(?:log\w*|errors?|warnings?|entries|fehler|warnungen)\b")
_SUPERLATIVE: Final = re.compile(
    r"(?i)\b(?:\w{2,}est|most|least|best|worst|first|last|\w{3,}ste[nrs]?)\b"
)
#: A verb with its object: "Book a table for two" asks for no rows of books.csv.
_DOES: Final = re.compile(r"(?i)^\W*\w+\s+(?:an?|the|my|me|us|it|them|eine?n?|d(?:er|ie|as|en))\b")
#: An amount of one's own: "How many cups did we buy?", but not "How many people live in Hamburg?".
_OWN_AMOUNT: Final = re.compile(
    r"(?i)\bhow (?:many|much|often)\b.*\b(?:we|i|us|our|my)\b|"
    r"\bwie ?(?:viele?|oft)\b.*\b(?:wir|ich|uns|mein\w*)\b|\bwie hoch\b|"
    r"\b(?:did|do|have|haben) (?:we|i|wir|ich)\b.*\b(?:more|less|fewer|mehr|weniger)\b"
)
#: Cues of other questions too: "How many people live in Hamburg?", "the population of Berlin".
_NO_CUES: Final = frozenset({"mani", "popul"})
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
#: What somebody earns is in no payments.csv: "the highest paid employee".
_EARNS: Final = re.compile(
    r"(?i)\b(?:\w+est|best)[ -]paid\b|"
    r"\b(?:is|are|gets?|being)\s+paid\s+(?:the\s+)?(?:most|least|more|less|best)\b"
)
#: "Orders by city" sorts nothing, and neither does "was ordered by Ada".
_SORTING: Final = frozenset({"order", "ordered"})
_WAS: Final = frozenset("was were been is are".split())
#: What rows are sorted by, whatever table has it.
_SORTED_BY: Final = frozenset("name date price amount time age size number id".split())


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
    """

    source: str
    evidence: int
    share: float
    words: int = 0
    left: int = 0
    is_first: bool = False
    columns: tuple[str, ...] = ()
    literal: int = 0

    @property
    def rank(self) -> tuple[int, float, int]:
        """What is greater for the better fit."""
        return self.evidence, self.share, self.literal


def table_meant(facts: Facts, sources: TableSources, *, is_chart: bool = False) -> str:
    """Return the one table of the folder that a question is about; "" where none is meant.

    Args:
        facts: What the request names; a file whose name stands in it is named, not meant.
        sources: The tables of the folder.
        is_chart: Whether the request asked for a chart, and says only what is to be drawn.
    """
    request = facts.request
    asked = _as_asked(request, is_chart=is_chart)
    if sources.workspace is None or not _asks_here(facts, asked):
        return ""
    found = (path for path in paths_beneath(sources.workspace) if _is_table(path))
    # a folder may have many files of JSON and notes that are no tables
    files = sorted(found, key=lambda path: file_kinds.suffix_of(path) in file_kinds.PERHAPS_TABLES)
    files = files[:_MOST_FILES]
    tables = [path for path in files if file_kinds.suffix_of(path) in file_kinds.TABLES]
    if _THE_TABLE.search(request) and len(tables) == 1:
        fits = [Fit(tables[0], _ENOUGH, 1.0)]
    else:
        fits = _fits_enough(request, files, sources, is_chart=is_chart)
        # a column that another table has may be spelt otherwise here: "colour"
        if not _best(fits):
            fits = _fits_enough(request, files, sources, is_chart=is_chart, is_alone=True)
    best = _best(fits)
    columns = next((fit.columns for fit in fits if fit.source == best), ())
    return best if may_mean_table(facts, is_chart=is_chart, columns=columns) else ""


def _fits_enough(
    request: str,
    files: Sequence[str],
    sources: TableSources,
    *,
    is_chart: bool,
    is_alone: bool = False,
) -> list[Fit]:
    """Return how well the tables fit that a request can be about, each beside the others or not."""
    amounts = f"most {request}" if is_chart else request  # a chart is of amounts
    fits = [*_fits(request, files, sources, is_alone=is_alone)]
    fits = [fit for fit in fits if is_enough(amounts, fit)]
    if asks_per(request):
        fits = [fit for fit in fits if not fit.left or _is_phrase_of(fit)]
    is_phrase = not asks(_as_asked(request, is_chart=is_chart))
    if not any(fit.evidence >= _ENOUGH and fit.share == 1.0 for fit in fits):
        # "say hello" reads no JSON, which may be anything
        kinds = file_kinds.TABLES if is_phrase else file_kinds.TABLES | file_kinds.PERHAPS_TABLES
        others = [file for file in files if file_kinds.suffix_of(file) in kinds]
        others_fit = _of_other_formats(request, others, sources)
        fits += [fit for fit in others_fit if is_enough(amounts, fit)]
    if not is_phrase:
        return fits
    return [fit for fit in fits if fit.evidence >= _ENOUGH and _is_phrase_of(fit)]


def _is_phrase_of(fit: Fit) -> bool:
    """Return whether a phrase begins with words of the table and has few others, or none.

    "Bookings without a deposit" asks to see them; of "Invite Ada to HR" the verb is of no table.
    """
    return fit.share == 1.0 or (fit.is_first and fit.share > _LEAST_SHARE_PHRASE)


def frame_meant(facts: Facts, sources: TableSources, *, is_chart: bool) -> str:
    """Return the frame that a request can be about: the only one that was handed in, or the best.

    Args:
        facts: What the request names; "" is returned where it names a file.
        sources: The frames that were handed in.
        is_chart: Whether the request asked for a chart, and says only what is to be drawn.
    """
    names_other = facts.files or facts.folders or facts.new_paths
    if not sources.frames or names_other or not may_mean_table(facts, is_chart=is_chart):
        return ""
    if len(sources.frames) == 1:
        return next(iter(sources.frames))
    fits = (fit_of(facts.request, table) for table in sources.frame_samples())
    return _best([fit for fit in fits if fit.evidence])


def may_mean_table(facts: Facts, *, is_chart: bool, columns: Sequence[str] = ()) -> bool:
    """Return whether a request that names no file can be about rows of a table.

    Args:
        facts: What the request names.
        is_chart: Whether the request asked for a chart, and says only what is to be drawn.
        columns: The columns of the table, which ask for nothing else: "size" of a room.
    """
    asked = _as_asked(facts.request, is_chart=is_chart)
    return _asks_here(facts, asked) and is_of_rows(asked, [*facts.columns, *columns])


def _asks_here(facts: Facts, asked: str) -> bool:
    """Return whether a request asks something, and neither names a file nor is about one."""
    if facts.urls or facts.quotes or not all(map(is_site, paths(facts.request))):
        return False
    return not _OTHER.search(facts.request) and bool(asks(asked) or not _DOES.search(asked))


def _as_asked(request: str, *, is_chart: bool) -> str:
    """Return a request as a question; of one for a chart there is only what is drawn."""
    return f"show {request}" if is_chart else request


def table_within(source: str, question: str, sources: TableSources) -> str:
    """Return the table of a database that a question is about, as a source.

    It is the catalogue where the tables themselves are asked for, and any other source as it is;
    "" where two tables fit as well, or none does.

    Args:
        source: What the question names.
        question: The question, without that name.
        sources: The tables of the folder.
    """
    if file_kinds.suffix_of(source) not in file_kinds.DATABASES and source != sources.database:
        return source
    catalogue = sources.sample(source)
    if catalogue is None or _OF_TABLES.search(question):
        return source
    columns = (catalogue[name].cells for name in ("table", "kind", "columns"))
    tables = [
        # a view shows columns of tables: only its name tells that it is meant
        TableSample(f"{source}/{name}", [] if kind == "view" else listed.split(", "), [])
        for name, kind, listed in zip(*columns, strict=True)
    ]
    if len(tables) == 1:
        return tables[0].source
    return _best([fit for table in tables if (fit := fit_of(question, table)).evidence])


def _is_table(path: str) -> bool:
    suffix = file_kinds.suffix_of(path)
    return suffix in file_kinds.TABLES | file_kinds.PERHAPS_TABLES or _is_log(path)


def _is_log(path: str) -> bool:
    return file_kinds.suffix_of(path) in file_kinds.LOGS


def _fits(
    request: str, files: Sequence[str], sources: TableSources, *, is_alone: bool = False
) -> Iterator[Fit]:
    question = QuestionWords(request)
    logs = [file for file in files if _is_log(file)]
    if _OF_LOG.search(request) and asks_of_log(request):
        yield from (Fit(file, _ENOUGH, 1.0) for file in logs)
    plain = [file for file in files if file_kinds.suffix_of(file) in file_kinds.DELIMITED]
    heads = sources.heads(plain)
    yield from (fit_of(request, table, () if is_alone else heads) for table in heads)
    # other formats take a process
    others = [file for file in files if file not in {*logs, *plain}]
    named = (sources.sample(file) for file in others if places_of_file(question, file))
    yield from (fit_of(request, table) for table in named if table is not None)


def _of_other_formats(request: str, files: Sequence[str], sources: TableSources) -> Iterator[Fit]:
    """Yield how well files fit that a process has to read, and whose names are not said."""
    kinds = {file: file_kinds.suffix_of(file) for file in files}
    others = (f for f in files if not _is_log(f) and kinds[f] not in file_kinds.DELIMITED)
    small = (file for file in others if _is_small(file, sources) and _may_hold(file, sources))
    tables = map(sources.sample, islice(small, _MOST_OTHERS))
    yield from (fit_of(request, table) for table in tables if table is not None)


def _is_small(file: str, sources: TableSources) -> bool:
    """Return whether a file is read in a moment; False if it is not there any more."""
    try:
        return sources.workspace is not None and (
            sources.workspace.stat(file).size_bytes <= _MOST_BYTES
        )
    except ToolError:
        return False


def _may_hold(file: str, sources: TableSources) -> bool:
    """Return whether a file may hold a table: of notes only those with the line below a header."""
    if file_kinds.suffix_of(file) not in file_kinds.MARKDOWN or sources.workspace is None:
        return True
    try:
        with sources.workspace.open(file) as opened:
            return _TABLE_OF_NOTES.search(opened.read(_MOST_BYTES)) is not None
    except ToolError:
        return False


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
    words = frozenset(filter(str.isalpha, header_stems(PurePosixPath(file).stem))) - _PLAIN_NAMES
    return {place for place, root in enumerate(question.stems) if root in words}


def _verb_places(question: QuestionWords) -> set[int]:
    """Return the places of what was done: "bought", and "buy" behind "did"."""
    if _EARNS.search(question.text):
        return set()
    raw = question.raw
    did = raw.index("did") if "did" in raw else len(raw)
    return {place for place, word in enumerate(raw) if place > did or DONE.fullmatch(word)}


def sorting_places(question: QuestionWords, columns: Iterable[ColumnSample]) -> set[int]:
    """Return the places of "order" and "ordered" where they say how rows are sorted."""
    places = {place for place, word in enumerate(question.raw) if word in _SORTING}
    named = {root for column in columns for root in column.stems} if places else set()
    return {place for place in places if _sorts(question, place, named | _SORTED_BY)}


def _sorts(question: QuestionWords, place: int, named: Collection[str]) -> bool:
    """Return whether "order" stands in "in order of", "in date order" or "ordered by name"."""
    raw, stems = question.raw, question.stems
    first = place
    while first and (raw[first - 1] in _KINDS_OF_ORDER or stems[first - 1] in named):
        first -= 1
    if raw[place] == "order" and raw[first - 1 : first] == ("in",):
        return first < place or place + 1 not in question.numbers
    if raw[place - 1 : place] and raw[place - 1] in _WAS:
        return False  # "ordered by Ada", which says who did it
    by = next((at for at in range(place + 2, len(raw)) if raw[at] not in STOP), None)
    return raw[place + 1 : place + 2] == ("by",) and by is not None and stems[by] in named


def fit_of(request: str, table: TableSample, others: Sequence[TableSample] = ()) -> Fit:
    """Return how well a table fits a request; the names of tables joined to it count as one.

    Args:
        request: The request.
        table: The table.
        others: Other tables, whose columns are no misspelt ones, and may be what is sorted by.
    """
    header = {stem(word) for word in table.header_words - STOP - _ENDS}
    literal = len(header & {stem(word) for word in tokens(request)})
    # words of the columns' and the file's names may be misspelt
    elsewhere = frozenset().union(*(other.single_names for other in others))
    request = in_words_of(request, table, by_verbs=True, elsewhere=elsewhere)
    own_words = {*table.header_words, *header_words(PurePosixPath(table.source).stem)}
    question = QuestionWords(request, own_words, shipped_weights().words, elsewhere)
    columns = table.columns.values()
    every = [column for each in (table, *others) for column in each.columns.values()]
    sorts = sorting_places(question, every)
    named = places_of_file(question, table.source) - sorts
    evidence, taken = _NAME_WEIGHT * bool(named), set(named)
    of_persons: set[int] = set()
    for join in table.made_of.joins:
        own = places_of_file(question, join.source) - sorts
        evidence += bool(own - taken)
        taken |= own
    content = _content_places(question)
    for column in columns:
        own = _column_places(question, column) - sorts
        is_number = column.kind == "number"  # "7A" of a class is none
        runs = [] if is_number else [*_cell_places(request, question, column)]
        runs = runs or [*_part_places(question, content, column)]
        cells = frozenset().union(*runs)
        longest = max((len(run - taken - own) for run in runs), default=0)
        evidence += bool(own - taken) + min(longest, _NAME_WEIGHT)
        taken |= own | cells
        of_persons |= set() if PERSONS.isdisjoint(column.stems) else cells
    if content - taken and taken and taken <= named - _noun_places(question, table.source):
        # umbrellas that were sold are in no sales.csv that does not know them
        evidence, taken = 0, set()
    persons = _person_places(question, table) - taken
    if persons and taken - of_persons:
        # of whom, beside what is no name: "Who is in HR?", not "Who is Ada?"
        evidence, taken = evidence + 1, taken | persons
    times, paid = _time_places(question, table), paid_places(question, table)
    # "revenue in May" tells the table alone, if nothing else is named
    tells = bool(paid and (times or paid_columns(table))) and content <= times | paid
    for beside in (times, paid):
        if (taken or tells) and beside - taken:
            evidence, taken = evidence + 1, taken | beside
    known = shipped_weights().words
    telling = {place for place in content if question.raw[place] not in known}
    share = len(taken) / len(telling | taken) if taken else 0.0
    is_first = bool(taken) and min(content | taken) in taken
    left, names = len(content - taken), tuple(table.columns)
    return Fit(table.source, evidence, share, len(taken), left, is_first, names, literal)


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
    return found


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
    if PERSONS.isdisjoint(table.header_words):
        return set()
    return {place for place, word in enumerate(question.english) if word in _PEOPLE}


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
        and not _SUPERLATIVE.fullmatch(word)
        and place not in question.numbers
        and question.raw[max(0, place - 1) : place + 1] != ("wie", "hoch")
    }


def is_enough(request: str, fit: Fit) -> bool:
    """Return whether a request that names no table can be taken as one about this one."""
    if fit.evidence >= _ENOUGH:
        return fit.share >= _LEAST_SHARE
    cues = CUES - _NO_CUES
    has_cue = any(stem(word) in cues for word in in_english(tokens(request)))
    asks_amount = has_cue or any(
        (_SUPERLATIVE.search(request), _OWN_AMOUNT.search(request), REVENUE.search(request))
    )
    return fit.evidence == 1 and fit.share >= _LEAST_SHARE_ALONE and asks_amount


def _best(fits: Sequence[Fit]) -> str:
    """Return the best table; of files of one name the one nearest to the root."""
    if not fits:
        return ""
    most = max(fit.rank for fit in fits)
    best = [fit.source for fit in fits if fit.rank == most]
    if len({PurePosixPath(source).name for source in best}) > 1:
        return ""
    return min(best, key=lambda source: (source.count("/"), source))
