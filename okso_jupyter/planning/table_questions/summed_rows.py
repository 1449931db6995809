"""Summed rows: follow-ups for the rows that were counted, what rows come to, and another measure.

"Which ones?" after a number of rows shows them; "how much is that in total?" after rows is the sum
of their amount; "and how much did each bring in?" measures the same groups by another column.
"""

from __future__ import annotations

import re
from typing import Final

from okso_jupyter.planning.table_questions.beside_asked import naming_column
from okso_jupyter.planning.table_questions.computed_words import (
    AMOUNTS,
    CHARGES,
    MONEY,
    paid_columns,
    revenue_of,
)
from okso_jupyter.planning.table_questions.cue_words import TOGETHER
from okso_jupyter.planning.table_questions.going_on import asks_which, total_asked
from okso_jupyter.planning.table_questions.query_edit import QueryEdit
from okso_jupyter.planning.table_questions.table_sample import ColumnSample, TableSample
from okso_jupyter.planning.table_questions.words import header_words, row_stems, spoken_names, stem
from okso_jupyter.tables.query import Function, Measure

_SIGN: Final = re.compile(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|euros?|dollars?|pounds?)\b", re.IGNORECASE)
#: Letters of the shortest word of a column's name that others begin with.
_LEAST_PREFIX: Final = 4
#: What a number of another column is asked for by.
_HOW_MUCH: Final = frozenset("how wie much many viel viele money geld".split())
#: What somebody or something did that brought or took money.
_DEALT: Final = frozenset(
    "did does do has have each every one them they jede jeder jedes jeweils hat haben bring brings "
    "brought bringen brachte brachten gebracht eingebracht earn earns earned verdient make makes "
    "made take took taken get got pay paid pays spend spent cost costs charge charged bezahlt "
    "gezahlt gekostet kostet kostete ausgegeben eingenommen ein total altogether together "
    "insgesamt zusammen".split()
)


def show_counted(edit: QueryEdit) -> None:
    """Show the rows that were counted or summed: "which ones?"."""
    query = edit.query
    if not asks_which(edit.question.text) or query.by or len(query.measures) != 1:
        return
    measure = query.measures[0]
    if measure.function == "count distinct":
        parts = {"columns": (measure.column,), "distinct": True}
    elif measure.function in {"count", "sum", "mean"}:
        named = _naming_columns(edit.table)
        measured = (measure.column,) if measure.column and named else ()
        parts = {"columns": tuple(dict.fromkeys((*named, *measured)))}
    else:
        return
    said = f"which rows they are instead of the {measure.function}"
    edit.change(set(edit.left), said, measures=(), limit=0, combine="", chart="", **parts)


def sum_rows(edit: QueryEdit) -> None:
    """Sum the amount of the rows that were shown or counted: "how much is that in total?"."""
    query, noun = edit.query, total_asked(edit.question.text)
    if noun is None or query.limit or query.distinct or query.shift or query.combine:
        return
    if any(measure.function not in {"count", "sum"} for measure in query.measures):
        return
    is_sum = any(measure.function == "sum" for measure in query.measures)
    if is_sum and not query.by:
        return
    column = _summed(edit, noun)
    if column is None:
        return
    said = f"sum of {column.name}"
    measures = (Measure("sum", column.name),)
    parts = {"by": "", "part": "", "order": "", "descending": False, "columns": (), "chart": ""}
    edit.change(set(edit.left), said, measures=measures, bounds=(), **parts)


def _summed(edit: QueryEdit, noun: str) -> ColumnSample | None:
    """Return the column that is summed: what was measured, named or shown, or what was paid."""
    columns = edit.table.columns
    if noun:
        return _called(noun, edit.table)
    if edit.query.measures and edit.query.measures[0].column:
        return columns[edit.query.measures[0].column]
    shown = [c for name in edit.query.columns if _is_amount(c := columns[name])]
    return shown[0] if len(shown) == 1 else money_column(edit.table)


def measure_groups(edit: QueryEdit) -> None:
    """Measure the same groups, or rows, by another column: "and how much did each bring in?"."""
    query = edit.query
    if len(query.measures) != 1 or query.measures[0].other or query.bounds or query.combine:
        return
    asked = edit.places(_HOW_MUCH)
    named = edit.column_in(edit.left) or _nearly_named(edit)
    column = named[0] if named and _is_amount(named[0]) else None
    places = set(named[1]) if named and column else set()
    functions = [f for f, cues in TOGETHER.items() if f in {"mean", "sum"} and edit.places(cues)]
    is_each = bool(query.by) and bool(edit.places(_DEALT))
    if column is None and asked and is_each and not functions:
        column = money_column(edit.table)
    is_counted = query.measures[0].function == "count"
    if column is None or not (asked or functions or is_each) or not (is_counted or asked):
        return
    function: Function = functions[0] if functions else "sum"
    places |= asked | edit.places(_DEALT)
    for each in functions:
        places |= edit.places(TOGETHER[each])
    said = f"{function} of {column.name} instead of {_said(query.measures[0])}"
    edit.change(places, said, measures=(Measure(function, column.name),))
    own = {*row_stems(query.source), *map(stem, header_words(query.by))}
    edit.left -= {p for p in edit.left if edit.question.stems[p] in own}


def _nearly_named(edit: QueryEdit) -> tuple[ColumnSample, set[int]] | None:
    """Return the one column of amounts whose name shortens words: "elevation gain", elev_gain_m."""
    found = []
    for column in filter(_is_amount, edit.table.columns.values()):
        names = [header_words(form) for form in spoken_names(column.name)]
        for name in names:
            places = {
                place
                for place in edit.left
                for own in name
                if len(own) >= _LEAST_PREFIX and edit.question.raw[place].startswith(own)
            }
            if places and len(places) == len(name):
                found.append((column, places))
                break
    return found[0] if len(found) == 1 else None


def _said(measure: Measure) -> str:
    return f"{measure.function} of {measure.column}" if measure.column else "number of rows"


def money_column(table: TableSample) -> ColumnSample | None:
    """Return the one column of what each row cost or brought in; None for none or several."""
    paid = paid_columns(table)
    if len(paid) == 1:
        return paid[0]
    if revenue_of([c for c in table.columns.values() if c.has_numbers]):
        return None  # a price of each of many
    numbers = [column for column in table.columns.values() if _is_amount(column)]
    for known in (AMOUNTS | CHARGES, MONEY):
        found = [c for c in numbers if not c.is_quantity and not known.isdisjoint(c.meanings)]
        if found:
            return found[0] if len(found) == 1 else None
    signed = [column for column in numbers if _has_sign(column)]
    return signed[0] if len(signed) == 1 else None


def _is_amount(column: ColumnSample) -> bool:
    return column.has_numbers and not column.is_key and not column.is_year and not column.is_name


def _has_sign(column: ColumnSample) -> bool:
    """Return whether a column is of money by a sign in its name or its cells."""
    cells = [cell for cell in column.cells if cell]
    signed = sum(_SIGN.search(cell) is not None for cell in cells)
    return _SIGN.search(column.name) is not None or 2 * signed > len(cells) > 0


def _called(noun: str, table: TableSample) -> ColumnSample | None:
    """Return the one column of amounts whose name has a word: "hours", "Stunden"."""
    word = noun.lower()
    found = [
        column
        for column in table.columns.values()
        if _is_amount(column) and not {word, stem(word)}.isdisjoint(column.meanings)
    ]
    return found[0] if len(found) == 1 else None


def _naming_columns(table: TableSample) -> tuple[str, ...]:
    """Return the columns that tell which row it is; () for rows that only all of them tell."""
    named = naming_column(table)
    if named and table[named].names_rows:
        return (named,)
    keys = (
        c
        for c in table.columns.values()
        if c.names_rows and (c.is_key or c.kind in {"text", "mixed"})
    )
    key = next(keys, None)
    if key is None:
        return ()
    return (key.name, named) if named and key.is_key else (key.name,)
