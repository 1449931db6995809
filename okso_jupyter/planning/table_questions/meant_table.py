"""Meant tables: the one table of the folder that a question is about without naming its file.

People ask "Which product sells best?" beside orders.csv. The words of the question that name the
file, a column or a cell tell which table is meant; where two fit as well, none is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request.facts import Facts, is_site, paths_beneath
from okso_jupyter.planning.request.own_numbers import is_of_own_numbers
from okso_jupyter.planning.request.wording import paths
from okso_jupyter.planning.table_questions.computed_words import REVENUE
from okso_jupyter.planning.table_questions.cue_words import CUES
from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.other_units import asks_in_unit, is_in_other_unit
from okso_jupyter.planning.table_questions.recognition import (
    asks,
    asks_of_log,
    asks_per,
    is_of_rows,
)
from okso_jupyter.planning.table_questions.table_fit import SUPERLATIVE, Fit, fit_of, places_of_file
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.words import (
    QuestionWords,
    stem,
    tokens,
)
from okso_jupyter.tables import file_kinds

_MOST_FILES: Final = 40
#: Files that are read by a process although nothing names them, and the size of the largest.
_MOST_OTHERS, _MOST_BYTES = 5, 1 << 21
#: The line below the header of a Markdown table.
_TABLE_OF_NOTES: Final = re.compile(rb"(?m)^[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*\|")
_ENOUGH: Final = 2
#: Least share of the question's words that the table has: for enough evidence, and for one column.
_LEAST_SHARE, _LEAST_SHARE_ALONE = 0.4, 0.33
#: More than this share of a phrase's words are of the table.
_LEAST_SHARE_PHRASE: Final = 0.5
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
    table = sources.sample(best) if best and asks_in_unit(request) else None
    if table and is_in_other_unit(request, table.columns):
        return ""
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
    """Return whether a request asks something, and neither names a file nor is about one.

    A problem of its own numbers asks nothing of a table.
    """
    if facts.urls or facts.quotes or not all(map(is_site, paths(facts.request))):
        return False
    if is_of_own_numbers(facts.request):
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


def is_enough(request: str, fit: Fit) -> bool:
    """Return whether a request that names no table can be taken as one about this one."""
    if fit.evidence >= _ENOUGH:
        return fit.share >= _LEAST_SHARE
    cues = CUES - _NO_CUES
    has_cue = any(stem(word) in cues for word in in_english(tokens(request)))
    asks_amount = (
        has_cue
        or fit.is_counted
        or any((SUPERLATIVE.search(request), _OWN_AMOUNT.search(request), REVENUE.search(request)))
    )
    return fit.evidence == 1 and fit.share >= _LEAST_SHARE_ALONE and asks_amount


def _best(fits: Sequence[Fit]) -> str:
    """Return the best table; of files of one name the one nearest to the root, if there is one."""
    if not fits:
        return ""
    most = max(fit.rank for fit in fits)
    best = [fit.source for fit in fits if fit.rank == most]
    if len({PurePosixPath(source).name for source in best}) > 1:
        return ""
    depth = min(source.count("/") for source in best)
    nearest = [source for source in best if source.count("/") == depth]
    return nearest[0] if len(nearest) == 1 else ""
