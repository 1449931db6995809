"""Related tables: the table of a question together with those that it refers to.

"Total revenue by city" is answered by orders.csv with what its customer_id and product_id refer to,
and by no file alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.planning.request.facts import Facts, paths_beneath
from okso_jupyter.planning.table_questions.computed_words import computed_asked, with_quantity
from okso_jupyter.planning.table_questions.counted_tables import called_by_count
from okso_jupyter.planning.table_questions.cue_words import CUES
from okso_jupyter.planning.table_questions.joined_sample import side_by_side
from okso_jupyter.planning.table_questions.meant_table import is_enough
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.recognition import HOW_OFTEN, without_source
from okso_jupyter.planning.table_questions.references import reference, with_references
from okso_jupyter.planning.table_questions.sorting_words import sorting_places
from okso_jupyter.planning.table_questions.spoken_formulas import ComputedQuestion, may_compute
from okso_jupyter.planning.table_questions.table_fit import Fit, fit_of, places_of_file
from okso_jupyter.planning.table_questions.table_sample import (
    ColumnSample,
    Composition,
    TableSample,
)
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.words import (
    QuestionWords,
    header_stems,
    header_words,
    row_stems,
    stem,
)
from okso_jupyter.tables import file_kinds
from okso_jupyter.tables.query import Join, Query

_TABLES: Final = file_kinds.TABLES | file_kinds.PERHAPS_TABLES
_MOST_FILES: Final = 40


def related_tables(
    question: str, alone: TableSample | None, sources: TableSources
) -> TableSample | None:
    """Return a table with those it refers to, if more words of a question are of it than of one.

    Where none is meant alone, it may be one by itself, with columns that are computed.

    Args:
        question: The question, without the name of a file.
        alone: The table that it names, or that is meant if it is one alone; None if none is.
        sources: The tables of the folder.
    """
    is_often = HOW_OFTEN.search(question) is not None
    if sources.workspace is None or (
        alone is not None
        and _is_explained(question, alone)
        and not (is_often or _names_another(question, alone, sources))
    ):
        return None
    heads = heads_of(sources)
    known = 0
    if alone is not None:
        known = _words(question, alone, _keys(question, alone, heads), heads)
    found: dict[tuple[int, int], list[TableSample]] = {}
    for base in heads:
        beside = with_references(base, heads)
        files = {base.source, *(other.source for _, other in beside)}
        if alone is None or (beside and alone.source in files):
            keys = _keys(question, base, heads)
            table = _fewest(question, base, beside, keys, heads).without(keys)
            fit, said = _fit(question, table, heads), computed_asked(question, table)
            is_said = alone is not None or (
                is_enough(said.question if said else question, fit) and _is_of(question, table, fit)
            )
            # how often somebody came is told by rows that name him
            is_better = fit.words > known or (
                is_often
                and alone is not None
                and base.source != alone.source
                and fit.words == known
            )
            if (table.made_of.joins or said) and is_better and is_said:
                found.setdefault((fit.words, fit.evidence), []).append(table)
    best = _best(question, found, heads)
    if len(best) != 1:
        return None
    whole = sources.sample_of(Query(best[0].source, joins=best[0].made_of.joins))
    return whole and whole.without(whole.columns.keys() - best[0].columns.keys())


def _best(
    question: str,
    found: Mapping[tuple[int, int], list[TableSample]],
    heads: Sequence[TableSample],
) -> list[TableSample]:
    """Return the tables that explain most words, of these the one whose rows a question counts."""
    if not found:
        return []
    most = max(found)
    counted = called_by_count(question, heads)
    equal = [table for fit, tables in found.items() if fit[0] == most[0] for table in tables]
    called = [table for table in equal if counted and table.source == counted.source]
    return called if len(called) == 1 else found[most]


def table_of_formula(question: str, facts: Facts, sources: TableSources) -> ComputedQuestion | None:
    """Return a question with the columns that it wants computed of the one file that it names."""
    is_table = len(facts.files) == 1 and file_kinds.suffix_of(facts.files[0]) in _TABLES
    if not is_table or not may_compute(question):
        return None
    [file] = facts.files
    table = sources.sample(file)
    if table is None:
        return None
    # the name may stand in the middle of what says how the column is computed
    asked = computed_asked(without_source(question, file), table)
    if asked is None:
        return None
    return replace(asked, question=f"{asked.question} The data is in {file}.")


def _fewest(
    question: str,
    base: TableSample,
    beside: Sequence[tuple[Join, TableSample]],
    keys: Collection[str],
    heads: Sequence[TableSample],
) -> TableSample:
    """Return a table with those of the others that words of a question are of."""
    kept = list(beside)
    table = side_by_side(base, kept)
    for place, each in reversed([*enumerate(beside)]):
        # what it is joined by may be of a table before it
        before = side_by_side(base, beside[:place])
        own = set(side_by_side(base, beside[: place + 1]).columns) - set(before.columns)
        if any(join.column in own for join, _ in kept):
            continue  # another one is reached through it
        fewer = [other for other in kept if other is not each]
        smaller = side_by_side(base, fewer)
        if _words(question, smaller, keys, heads) == _words(question, table, keys, heads):
            kept, table = fewer, smaller
    return table


def _is_explained(question: str, table: TableSample) -> bool:
    """Return whether every word of a question is of one table, and of no id that may refer."""
    ids = [name for name, column in table.columns.items() if column.stems[-1:] == ("id",)]
    plain = table if re.search(r"(?i)\bids?\b", question) else table.without(ids)
    return not _fit(question, plain, ()).left


def _names_another(request: str, table: TableSample, sources: TableSources) -> bool:
    """Return whether a question names another table by a cue, its amount, or a column nearly so.

    Other tables are only read where the words can be of them.
    """
    question = QuestionWords(request)
    own = {*map(stem, table.header_words), *row_stems(table.source)}
    others = {place for place, root in enumerate(question.stems) if root not in own}
    cues = {place for place in others if question.stems[place] in CUES}
    names = [*sources.frames] if len(sources.frames) > 1 else _files(sources)
    files = {place for name in names for place in cues & _places_of_name(question, name)}
    amounts = others & _amount_places(question)
    misspelt = QuestionWords(request, table.header_words).mended
    if not (files or amounts or misspelt):
        return False
    heads = heads_of(sources)
    columns = [column for head in heads for column in head.columns.values()]
    return (
        any(not misspelt.isdisjoint(head.single_names) for head in heads)
        or (bool(amounts) and any(column.stems == ("amount",) for column in columns))
        or bool(files - sorting_places(question, columns))
    )


def _amount_places(question: QuestionWords) -> set[int]:
    """Return the places of "amount"; "the amount of members" is their number."""
    return {
        place
        for place, root in enumerate(question.stems)
        if root == "amount" and question.raw[place + 1 : place + 2] != ("of",)
    }


def _places_of_name(question: QuestionWords, name: str) -> set[int]:
    """Return the places of a file's words as they are written: "what share" is of no shares.csv.

    To order is what orders.csv is about, and to list is what every question does.
    """
    written = {*header_words(PurePosixPath(name).stem)}
    return {
        place
        for place in places_of_file(question, name)
        if question.raw[place] in written - {"list"} or question.stems[place] == "order"
    }


def _is_of(question: str, table: TableSample, fit: Fit) -> bool:
    """Return whether a question names something that a table has, or nothing that it has not.

    What is computed is no such thing: many tables have a revenue, and few that of Siemens.
    """
    return not fit.left or fit_of(question, table).evidence > 0


def _words(
    question: str, table: TableSample, keys: Collection[str], heads: Sequence[TableSample]
) -> int:
    """Return how many words of a question are of a table, whose keys alone say nothing."""
    return _fit(question, table.without(keys), heads).words


def _keys(question: str, table: TableSample, others: Sequence[TableSample]) -> frozenset[str]:
    """Return the columns that only refer to other tables: "customer" is one's name, not an id.

    A question for an id, or for "customer 12", means them.
    """
    joins = (reference(table, other) for other in others if other.source != table.source)
    columns = {join.column for join in joins if join is not None and _is_id(table[join.column])}
    asks_id = r"(?i)\bids?\b|\b{}\w*\s+#?\d"
    return frozenset(
        column
        for column in columns
        if not re.search(asks_id.format(re.escape(header_stems(column)[0])), question)
    )


def _is_id(column: ColumnSample) -> bool:
    """Return whether a column numbers what it refers to; a name or a class tells it."""
    return column.kind == "number" or column.stems[-1:] == ("id",)


def heads_of(sources: TableSources) -> list[TableSample]:
    """Return the beginnings of several frames, or of the folder's tables in plain text."""
    return sources.frame_samples() if len(sources.frames) > 1 else sources.heads(_files(sources))


def _files(sources: TableSources) -> list[str]:
    """Return the folder's tables in plain text."""
    paths = [] if sources.workspace is None else paths_beneath(sources.workspace)
    return [p for p in paths if file_kinds.suffix_of(p) in file_kinds.DELIMITED][:_MOST_FILES]


def _fit(question: str, table: TableSample, heads: Sequence[TableSample]) -> Fit:
    """Return how well a table fits a question, with the columns that it wants computed."""
    question = with_quantity(question, table)
    asked = computed_asked(question, table)
    if asked is None:
        return fit_of(question, table, heads)
    # only that there is such a column counts, and that it holds numbers
    made = [ColumnSample(column.name, ("1", "2.5")) for column in asked.computed]
    columns = [*table.columns.values(), *made]
    whole = TableSample.of_columns(table.source, columns, table.made_of)
    fit = fit_of(asked.question, whole, heads)
    # a column's name may stand for several words, all of which it explains
    more = len(question.split()) - len(asked.question.split())
    return replace(fit, words=fit.words + max(0, more))


def of_tables(readings: Sequence[QueryReading], table: TableSample) -> tuple[QueryReading, ...]:
    """Return readings with the joins and computed columns that each of them needs."""
    if table.made_of == Composition():
        return tuple(readings)
    return tuple(replace(each, query=_complete(each.query, table)) for each in readings)


def _complete(query: Query, table: TableSample) -> Query:
    """Return a query with the joins and computed columns that it needs."""
    made_of = table.made_of
    if not (query.columns or query.by or query.measures):  # it shows every column
        return replace(query, joins=made_of.joins, computed=made_of.computed)
    needed = set(query.names)
    for column in reversed(made_of.computed):  # each may use those before it
        if column.name in needed:
            needed.update(column.operands)
    computed = tuple(column for column in made_of.computed if column.name in needed)
    kept = {join for name in needed for join in made_of.joined_by.get(name, ())}
    joins = made_of.joins
    if made_of.joined_by:
        joins = tuple(join for join in joins if join in kept)
    return replace(query, joins=joins, computed=computed)
