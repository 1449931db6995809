"""Phrases as they are spoken: money spent, things per group, months of a year, more German."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from okso_jupyter.tables.query import Comparison, Filter, Function, Measure, Part, Query

if TYPE_CHECKING:
    from benchmarks.table_questions.phrases import _Made

_Asked = tuple[str, Query]

_MONEY: Final = ("amount", "cost", "price", "Fare")
_QUANTITIES: Final = ("quantity", "votes", "goals", "visits", "points")
_MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)
_COUNT: Final = (Measure("count"),)
_STATISTICS: Final[Sequence[tuple[Function, str]]] = (
    ("mean", "average"),
    ("sum", "total"),
    ("maximum", "highest"),
)


def _only(t: _Made, *columns: str) -> tuple[tuple[str, ...], Query]:
    """Return a value of each column, and the query of the rows that have them."""
    values = tuple(t.value(column) for column in columns)
    filters = tuple(Filter(c, "=", v) for c, v in zip(columns, values, strict=True))
    return values, Query("t.csv", filters)


def _several(word: str) -> str:
    return word if word.endswith("s") else f"{word}s"


def _group(t: _Made) -> tuple[str, str, Part]:
    """Return a column to group by, its word, and the part of its date."""
    if t.dates and t.chance.random() < 0.4:
        part: Part = t.chance.choice(("year", "month", "month"))
        return t.dates[0], part, part
    column = t.chance.choice(t.texts)
    return column, t.noun(column), ""


def _spent(t: _Made, where: str, base: Query) -> _Asked:
    """Ask what was spent: of all, of one value, of each, or by whom most."""
    chance = t.chance
    money = next((name for name in _MONEY if name in t.numbers), "")
    if not money:
        return _amount_each(t, where, base)
    total = replace(base, measures=(Measure("sum", money),))
    kind = chance.random()
    if kind < 0.3:
        said: Sequence[str] = (
            "how much did we spend{c}",
            "what did we spend in total{c}",
            "total spending{c}",
            "How much was paid{c}?",
            "all costs together{c}",
        )
        return chance.choice(said).format(c=where), total
    if kind < 0.5:
        (value,), only = _only(t, chance.choice(t.texts))
        said = ("What did we spend on {v}?", "how much was spent on {v}", "total paid for {v}",
                "money spent on {v}", "How much do {v} cost altogether?")  # fmt: skip
        return chance.choice(said).format(v=value), replace(only, measures=total.measures)
    by, word, part = _group(t)
    grouped = replace(total, by=by, part=part)
    if kind < 0.75:
        said = ("total spent by {g}{c}", "spending per {g}{c}", "how much was spent per {g}{c}",
                "costs by {g}{c}", "What did each {g} cost{c}?", "paid per {g}{c}")  # fmt: skip
        return chance.choice(said).format(g=word, c=where), replace(grouped, order=by)
    descending = chance.random() < 0.75
    said = ("Which {g} {v} the {e}{c}?", "{g} that {v} {e}{c}", "in which {g} was the {e} spent{c}",
            "Which {g} {v} {e} overall{c}?")  # fmt: skip
    text = chance.choice(said).format(
        g=word, v=chance.choice(("paid", "spent", "costs us", "cost")), c=where,
        e="most" if descending else "least",
    )  # fmt: skip
    return text, replace(grouped, descending=descending, columns=(by,), limit=1)


def _amount_each(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for the sum of what a column counts of each group, without a word for the sum."""
    counted = [name for name in t.numbers if name in {*_QUANTITIES, "amount"}]
    if not counted:
        return _values_each(t, where, base)
    column = t.chance.choice(counted)
    by, word, part = _group(t)
    said = ("{m} by {g}{c}", "{m} per {g}{c}", "show {m} by {g}{c}", "{m} for each {g}{c}",
            "{m} in each {g}{c}", "total {m} by {g}{c}", "{m} pro {g}{c}")  # fmt: skip
    text = t.chance.choice(said).format(m=t.noun(column), g=word, c=where)
    return text, replace(base, by=by, part=part, measures=(Measure("sum", column),), order=by)


def _highest_number(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for the largest of what a column counts, or the largest amount."""
    counted = [name for name in t.numbers if name in {*_QUANTITIES, *_MONEY}]
    if not counted:
        return _not(t, where, base)
    column = t.chance.choice(counted)
    is_most = t.chance.random() < 0.7
    if column in _QUANTITIES:
        said = ("{e} number of {m}{c}", "What is the {e} number of {m}{c}?", "{e} count of {m}{c}")
    else:
        said = ("{e} single {t}{c}", "what was the {e} single {m}{c}", "{e} {m} of all {r}{c}")
    text = t.chance.choice(said).format(
        e=t.chance.choice(("highest", "largest", "biggest") if is_most else ("lowest", "smallest")),
        m=t.noun(column), t=t.thing, r=t.rows_word(), c=where,
    )  # fmt: skip
    return text, replace(base, measures=(Measure("maximum" if is_most else "minimum", column),))


def _values_each(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for the rows of one value in each group, or for the group with most of them."""
    if len(t.texts) < 2:
        return _not(t, where, base)
    chance = t.chance
    column, by = chance.sample(t.texts, 2)
    (value,), only = _only(t, column)
    word = t.noun(by)
    part: Part = ""
    if t.dates and chance.random() < 0.3:
        by, word, part = t.dates[0], "month", "month"
    grouped = replace(only, by=by, part=part, measures=_COUNT)
    if chance.random() < 0.5:
        said: Sequence[str] = (
            "{v} per {g}",
            "{v} by {g}",
            "how many {v} {r} per {g}",
            "number of {v} by {g}",
            "how many {v} does each {g} have",
            "count of {v} {r} by {g}",
            "{v} {r} for each {g}",
        )
        text = chance.choice(said).format(v=_several(value), g=word, r=t.rows_word())
        return text, replace(grouped, order=by)
    descending = chance.random() < 0.7
    said = ("Which {g} has the {e} {v}?", "which {g} had {e} {v}", "{g} with the {e} {v} {r}",
            "Which {g} made the {e} {v}?", "which {g} logged the {e} {v}")  # fmt: skip
    end = chance.choice(("most",) if descending else ("fewest", "least"))
    text = chance.choice(said).format(g=word, e=end, v=_several(value), r=t.rows_word())
    return text, replace(grouped, descending=descending, columns=(by,), limit=1)


def _two_values(t: _Made, where: str, base: Query) -> _Asked:
    """Ask about the rows of two values, with the words that join them left short."""
    if len(t.texts) < 2:
        return _not(t, where, base)
    chance = t.chance
    (first, second), only = _only(t, *chance.sample(t.texts, 2))
    said = (" for {a} by {b}", " for {a} paid by {b}", " of {a} in {b}", " for {a} from {b}",
            " of {a} {b} {r}", " {a} by {b}")  # fmt: skip
    both = chance.choice(said).format(a=first, b=second, r=t.rows_word())
    if chance.random() < 0.5:
        lead = chance.choice(
            (
                "How many {a} {r} in {b}?",
                "how many {a} {r} by {b}",
                "number of {a} {r} for {b}",
                "How many {a} did {b} make?",
                "how many {a} from {b}",
            )
        )
        text = lead.format(a=_several(first), b=second, r=t.rows_word())
        return text, replace(only, measures=_COUNT)
    column = chance.choice(t.numbers)
    function, word = chance.choice(_STATISTICS)
    return f"{word} {t.noun(column)}{both}", replace(only, measures=(Measure(function, column),))


def _in_month(t: _Made, where: str, base: Query) -> _Asked:
    """Ask about a month of a year."""
    if not t.dates:
        return _two_values(t, where, base)
    chance, column = t.chance, t.dates[0]
    year, month, _ = map(int, t.value(column).split("-"))
    filters = (Filter(column, "=", year, "year"), Filter(column, "=", month, "month"))
    only = Query("t.csv", filters)
    when = f"{chance.choice(('in', 'during', 'for'))} {_MONTHS[month - 1]} {year}"
    if chance.random() < 0.6:
        said = chance.choice(
            ("How many {r} were there {w}?", "number of {r} {w}", "how many {r} {w}")
        )
        return said.format(r=t.rows_word(), w=when), replace(only, measures=_COUNT)
    number = chance.choice(t.numbers)
    function, word = chance.choice(_STATISTICS[:2])
    return f"{word} {t.noun(number)} {when}", replace(only, measures=(Measure(function, number),))


def _not(t: _Made, where: str, base: Query) -> _Asked:
    """Ask about all rows but those of a value, or that hold a word."""
    del where, base
    chance, column = t.chance, t.chance.choice(t.texts)
    value = t.value(column)
    words = value.split()
    if len(words) > 1 and chance.random() < 0.6:
        word = chance.choice(words).lower()
        query = Query("t.csv", (Filter(column, "contains", word),), measures=_COUNT)
        said = chance.choice(
            (
                "How many {r} mention {w}?",
                "how many {r} contain {w}",
                "number of {r} containing {w}",
                "count {r} with the word {w}",
            )
        )
        return said.format(r=t.rows_word(), w=word), query
    query = Query("t.csv", (Filter(column, "!=", value),), measures=_COUNT)
    said = chance.choice(("How many {r} are not {v}?", "number of {r} that are not {v}",
                          "how many {r} except {v}", "how many {r} without {v}"))  # fmt: skip
    return said.format(r=t.rows_word(), v=value), query


def _either(t: _Made, where: str, base: Query) -> _Asked:
    """Ask which of two values has more."""
    chance, column = t.chance, t.chance.choice(t.texts)
    first, second = t.value(column), t.value(column)
    if first == second:
        return _values_each(t, where, base)
    only = Query("t.csv", (Filter(column, "in", (first, second)),), by=column)
    number = chance.choice(t.numbers)
    descending = chance.random() < 0.7
    best = replace(only, descending=descending, columns=(column,), limit=1)
    a, b, e = first, second, "more" if descending else "less"
    if chance.random() < 0.5:
        said = chance.choice(("Did {a} or {b} have {e} {m}?", "who has {e} {m}, {a} or {b}?",
                              "Does {a} or {b} have {e} {m} in total?"))  # fmt: skip
        measures = (Measure("sum", number),)
    else:
        e = "higher" if descending else "lower"
        said = chance.choice(("Which is {e}, the average {m} for {a} or for {b}?",
                              "is the mean {m} {e} for {a} or {b}"))  # fmt: skip
        measures = (Measure("mean", number),)
    return said.format(a=a, b=b, e=e, m=t.noun(number)), replace(best, measures=measures)


def _deutsch(t: _Made, where: str, base: Query) -> _Asked:
    """Ask in German for groups, or the group with most."""
    del where, base
    chance = t.chance
    by, word, part = _group(t)
    word = {"month": "Monat", "year": "Jahr"}.get(word, by)
    all_rows, rows = Query("t.csv", by=by, part=part), t.rows_word()
    kind = chance.random()
    if kind < 0.4:
        said = chance.choice(_JE)
        return said.format(r=rows, g=word), replace(all_rows, measures=_COUNT, order=by)
    if kind < 0.7:
        column = chance.choice(t.numbers)
        said = chance.choice(
            ("Summe der {m} nach {g}", "{m} insgesamt pro {g}", "Gesamte {m} je {g}")
        )
        total = (Measure("sum", column),)
        return said.format(m=column, g=word), replace(all_rows, measures=total, order=by)
    descending = chance.random() < 0.6
    said = chance.choice(_MEISTE)
    text = said.format(g=word, e="meisten" if descending else "wenigsten", r=rows)
    ranked = replace(all_rows, measures=_COUNT, descending=descending, columns=(by,), limit=1)
    return text, ranked


_JE: Final = (
    "Anzahl {r} je {g}",
    "Anzahl der {r} pro {g}",
    "Wie viele {r} gibt es je {g}?",
    "{r} pro {g}",
    "Wie viele {r} hat jede {g}?",
)
_MEISTE: Final = (
    "Welche {g} hat die {e} {r}?",
    "In welchem {g} gibt es die {e} {r}?",
    "{g} mit den {e} {r}",
)


def _zeilen(t: _Made, where: str, base: Query) -> _Asked:
    """Ask in German for rows beyond a bound, for a share, or for a few rows in order."""
    del where, base
    chance, column, rows = t.chance, t.chance.choice(t.numbers), t.rows_word()
    kind = chance.random()
    if kind < 0.35:
        more: tuple[str, Comparison] = chance.choice((("mehr", ">"), ("weniger", "<")))
        bound = round(float(t.value(column)))
        said = chance.choice(("Welche {s} haben {w} als {n} {m}?", "{s} mit {w} als {n} {m}"))
        listed = Query("t.csv", (Filter(column, more[1], bound),), columns=(t.name,))
        return said.format(s=t.name, w=more[0], n=bound, m=column), listed
    if kind < 0.6:
        (value,), only = _only(t, chance.choice(t.texts))
        said = chance.choice(_ANTEIL)
        return said.format(r=rows, v=value), replace(only, measures=(Measure("share percent"),))
    count, descending = chance.randint(2, 9), chance.random() < 0.6
    ordered = Query("t.csv", order=column, descending=descending)
    if kind < 0.8:
        end = "höchsten" if descending else "niedrigsten"
        said = chance.choice(("Zeige die {n} {r} mit den {e} {m}", "die {n} {r} mit der {e} {m}"))
        return said.format(n=count, r=rows, e=end, m=column), replace(ordered, limit=count)
    down = ", absteigend" if descending else ""
    return f"Sortiere die {rows} nach {column}{down}", ordered


_ANTEIL: Final = (
    "Wie hoch ist der Anteil der {r} in {v} in Prozent?",
    "Anteil {v} in Prozent",
    "Wie viel Prozent der {r} sind {v}?",
)


def _of_those(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for a statistic of the rows with yes in a column of yes and no."""
    if not t.flags or base.filters:
        return _best_on_average(t, where, base)
    chance, flag, column = t.chance, t.flags[0], t.chance.choice(t.numbers)
    cells = {row[t.header.index(flag)] for row in t.rows}
    yes = next((cell for cell in cells if cell.lower() in {"yes", "true", "1", "y"}), None)
    if yes is None:
        return _best_on_average(t, where, base)
    function, word = chance.choice(_STATISTICS)
    text = chance.choice(_OF_THOSE).format(s=word, m=t.noun(column), f=flag, r=t.rows_word())
    value: str | float = int(yes) if yes.isdigit() else yes
    only = Query("t.csv", (Filter(flag, "=", value),), measures=(Measure(function, column),))
    return text, only


def _best_on_average(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for the group with the highest or lowest mean: "amount per customer" is one of each."""
    chance, by, column = t.chance, t.chance.choice(t.texts), t.chance.choice(t.numbers)
    is_most = chance.random() < 0.7
    end = chance.choice(("highest", "largest") if is_most else ("lowest", "smallest"))
    text = chance.choice(_ON_AVERAGE).format(
        g=t.noun(by), e=end, m=t.noun(column), t=t.thing, c=where
    )
    ranked = replace(base, by=by, measures=(Measure("mean", column),), columns=(by,), limit=1)
    return text, replace(ranked, descending=is_most)


_OF_THOSE: Final = (
    "What is the {s} {m} of those who were {f}?",
    "{s} {m} of those that are {f}",
    "{s} {m} of {r} who {f}",
    "the {s} {m} of all {f} {r}",
    "{s} {m} for {f} {r}",
)
_ON_AVERAGE: Final = (
    "Which {g} has the {e} {m} per {t}{c}?",
    "which {g} had the {e} average {m}{c}",
    "{g} with the {e} mean {m} per {t}{c}",
    "Which {g} was {e} in {m} on average{c}?",
)

SPOKEN: Final[Sequence[Callable[[_Made, str, Query], _Asked]]] = (
    _spent,
    _spent,
    _amount_each,
    _highest_number,
    _values_each,
    _values_each,
    _two_values,
    _in_month,
    _not,
    _either,
    _deutsch,
    _zeilen,
    _of_those,
    _best_on_average,
)
