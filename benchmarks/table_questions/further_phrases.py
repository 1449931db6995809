"""Further phrases: two conditions, things counted by a column, adjectives, German."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from okso_jupyter.tables.query import Comparison, Filter, Function, Measure, Query

if TYPE_CHECKING:
    from benchmarks.table_questions.phrases import _Made

_Asked = tuple[str, Query]

#: Columns that say from where to where.
ROUTES: Final = (
    ("origin", "destination"),
    ("From", "To"),
    ("departure", "arrival"),
    ("start_point", "end_point"),
    ("home", "away"),
    ("sender", "receiver"),
    ("PickupZone", "DropoffZone"),
)
PLACES: Final = ("Bergen", "Cadiz", "Dover", "Ghent", "Linz", "Old Port", "North Gate")
#: Columns whose numbers count things, and the columns that are measured.
_QUANTITIES: Final = ("quantity", "votes", "goals", "visits", "points")
#: How a measured value is asked for -> the columns.
_HOW: Final = {
    "long": ("duration_min", "distance_km"),
    "old": ("age",),
    "tall": ("height",),
    "heavy": ("weight",),
    "expensive": ("price", "cost", "Fare"),
    "fast": ("speed",),
    "far": ("distance_km",),
    "big": ("size",),
    "hot": ("temperature",),
}
_LONG: Final = {
    "duration_min": ("longest", "shortest"),
    "distance_km": ("longest", "shortest"),
    "price": ("most expensive", "cheapest"),
    "cost": ("most expensive", "cheapest"),
    "Fare": ("most expensive", "cheapest"),
    "age": ("oldest", "youngest"),
    "temperature": ("hottest", "coldest"),
    "speed": ("fastest", "slowest"),
    "size": ("biggest", "smallest"),
    "weight": ("heaviest", "lightest"),
    "height": ("tallest", "shortest"),
    "score": ("best", "worst"),
    "rating": ("best", "worst"),
    "points": ("best", "worst"),
}


def second_condition(t: _Made, said: str, base: Query) -> _Asked:
    """Return a condition in words with a second one, on another column."""
    others = [name for name in t.texts if name != base.filters[0].column]
    if others and t.chance.random() < 0.6:
        column = t.chance.choice(others)
        value = t.value(column)
        more = t.chance.choice((" in {v}", " and {c} {v}", " with {c} {v}", " from {v}", " {v}"))
        second = Filter(column, "=", value)
        text = said + more.format(c=t.noun(column), v=value)
    else:
        column = t.chance.choice(t.numbers)
        bound = round(float(t.value(column)))
        words, comparison = t.chance.choice(_BOUNDS)
        second = Filter(column, comparison, bound)
        text = said + words.format(c=t.noun(column), n=bound)
    return text, replace(base, filters=(*base.filters, second))


_BOUNDS: Final[Sequence[tuple[str, Comparison]]] = (
    (" and {c} above {n}", ">"),
    (" with {c} over {n}", ">"),
    (" and more than {n} {c}", ">"),
    (" with {c} below {n}", "<"),
    (" and less than {n} {c}", "<"),
    (" that have a {c} of at least {n}", ">="),
)


def misspelt(question: str, chance: random.Random) -> str:
    """Return a question in which a long word lacks a letter, or has two exchanged."""
    words = question.split(" ")
    long = [place for place, word in enumerate(words) if len(word) > 5 and word.isalpha()]
    if not long:
        return question
    place = chance.choice(long)
    word, at = words[place], chance.randint(1, len(words[place]) - 3)
    words[place] = (
        word[:at] + word[at + 1 :]
        if chance.random() < 0.6
        else word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    )
    return " ".join(words)


def _route(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for what goes from one place to another."""
    if not t.route:
        return _condition(t, where, base)
    chance = t.chance
    row = t.chance.choice(t.rows)
    start, end = (row[t.header.index(name)] for name in t.route)
    both = Query(
        "t.csv", tuple(Filter(n, "=", v) for n, v in zip(t.route, (start, end), strict=True))
    )
    if chance.random() < 0.3:
        column = chance.choice(t.numbers)
        said = chance.choice(("average {m} from {a} to {b}", "mean {m} between {a} and {b}"))
        return said.format(m=t.noun(column), a=start, b=end), replace(
            both, measures=(Measure("mean", column),)
        )
    said = chance.choice(
        (
            "How many {r} go from {a} to {b}?",
            "number of {r} from {a} to {b}",
            "how many {r} are there from {a} to {b}",
            "{r} from {a} to {b}, how many?",
            "How many {r} went from {a} to {b}",
        )
    )
    return said.format(r=t.rows_word(), a=start, b=end), replace(both, measures=(Measure("count"),))


def _condition(t: _Made, where: str, base: Query) -> _Asked:
    """Ask how many rows pass one or two conditions."""
    said = t.chance.choice(("How many {r}{c}?", "number of {r}{c}", "How many {r} are there{c}"))
    return said.format(r=t.rows_word(), c=where), replace(base, measures=(Measure("count"),))


def _sold(t: _Made, where: str, base: Query) -> _Asked:
    """Ask how many of a thing there are: a sum where a column counts them, else rows."""
    chance = t.chance
    if base.filters:
        return _condition(t, where, base)
    column = chance.choice(t.texts)
    value = t.value(column)
    only = Query("t.csv", (Filter(column, "=", value),))
    counted = [name for name in t.numbers if name == "quantity"]
    said = chance.choice(
        (
            "How many {v} were sold?",
            "how many {v} are in stock",
            "How many {v} did we order?",
            "how many {v} do we have",
            "total number of {v} sold",
        )
    )
    plural = value + ("" if value.endswith("s") else "s")
    if not counted:
        return f"How many {plural} are there?", replace(only, measures=(Measure("count"),))
    return said.format(v=plural), replace(only, measures=(Measure("sum", "quantity"),))


def _most_counted(t: _Made, where: str, base: Query) -> _Asked:
    """Ask which group has the most of what a column counts."""
    column = next((name for name in t.numbers if name in _QUANTITIES), None)
    if column is None:
        return _condition(t, where, base)
    by = t.chance.choice(t.texts)
    said = t.chance.choice(
        (
            "Which {g} sold the {e} {m}{c}?",
            "which {g} had the {e} {m}{c}",
            "Which {g} got {e} {m}{c}?",
            "{g} with the {e} {m}{c}",
            "Which {g} holds the {e} {m}{c}?",
        )
    )
    descending = t.chance.random() < 0.7
    text = said.format(
        g=t.noun(by), e="most" if descending else "fewest", m=t.noun(column), c=where
    )
    grouped = replace(base, by=by, measures=(Measure("sum", column),), columns=(by,), limit=1)
    return text, replace(grouped, descending=descending)


def _how(t: _Made, where: str, base: Query) -> _Asked:
    """Ask with "how long", "how old", of all rows or one."""
    fitting = [(w, c) for w, columns in _HOW.items() for c in columns if c in t.numbers]
    if not fitting:
        return _condition(t, where, base)
    word, column = t.chance.choice(fitting)
    if t.chance.random() < 0.5:
        said = t.chance.choice(("How {w} is the average {t}{c}?", "how {w} are {t}s on average{c}"))
        return said.format(w=word, t=t.thing, c=where), replace(
            base, measures=(Measure("mean", column),)
        )
    who = t.value(t.name)
    said = f"How {word} is {who}?"
    if word == "expensive":
        said = t.chance.choice((said, f"How much does {who} cost?", f"What does {who} cost?"))
    return said, Query("t.csv", (Filter(t.name, "=", who),), columns=(column,))


def _adjectives(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for a few rows, a day, or a group's average with an adjective."""
    named = [name for name in t.numbers if name in _LONG]
    if not named:
        return _most_counted(t, where, base)
    chance = t.chance
    column = chance.choice(named)
    descending = chance.random() < 0.6
    adjective = _LONG[column][0 if descending else 1]
    kind = chance.random()
    ordered = replace(base, order=column, descending=descending)
    if kind < 0.3:
        count = chance.randint(2, 9)
        said = chance.choice(
            ("List the {n} {a} {r}{c}", "the {n} {a} {r}{c}", "show {n} {a} {r}{c}")
        )
        if column in {"score", "points", "rating"}:
            said += f" by {t.noun(column)}"
        return said.format(n=count, a=adjective, r=t.rows_word(), c=where), replace(
            ordered, limit=count
        )
    if kind < 0.5 and t.dates:
        said = chance.choice(("What was the {a} day{c}?", "on which day was the {a} {t}{c}?"))
        text = said.format(a=adjective, t=t.thing, c=where)
        return text, replace(ordered, columns=(t.dates[0],), limit=1)
    by = chance.choice(t.texts)
    if kind < 0.7:
        said = chance.choice(("What is the {a} {g}{c}?", "{a} {g}{c}", "which {g} is the {a}{c}?"))
        text = said.format(a=adjective, g=t.noun(by), c=where)
        return text, replace(ordered, columns=(by,), limit=1)
    said = chance.choice(("Which {g} has the {a} average {m}{c}?", "{g} with the {a} mean {m}{c}"))
    end = adjective if column in {"duration_min", "distance_km", "score"} else "highest"
    text = said.format(g=t.noun(by), a=end, m=t.noun(column), c=where)
    grouped = replace(base, by=by, measures=(Measure("mean", column),), columns=(by,), limit=1)
    return text, replace(grouped, descending=descending or end == "highest")


def _value_of(t: _Made, where: str, base: Query) -> _Asked:
    """Ask for the total value of some rows."""
    money = [name for name in t.numbers if name in {"amount", "price", "cost", "profit"}]
    if not money:
        return _how(t, where, base)
    said = t.chance.choice(
        ("total value of {r}{c}", "What is the total value of {r}{c}?", "what are the {r}{c} worth")
    )
    hint = f" ({money[0]})" if t.chance.random() < 0.5 else ""
    return said.format(r=t.rows_word(), c=where) + hint, replace(
        base, measures=(Measure("sum", money[0]),)
    )


_GERMAN: Final[Sequence[tuple[str, Function]]] = (
    ("Wie hoch ist der durchschnittliche {m}{c}?", "mean"),
    ("durchschnittliche {m}{c}", "mean"),
    ("Was ist der höchste {m}{c}?", "maximum"),
    ("Was ist die niedrigste {m}{c}?", "minimum"),
    ("Summe der {m}{c}", "sum"),
    ("Wie hoch ist die gesamte {m}{c}?", "sum"),
    ("Median von {m}{c}", "median"),
)


def _german(t: _Made, where: str, base: Query) -> _Asked:
    """Ask in German."""
    del where, base
    chance = t.chance
    only, where = Query("t.csv"), ""
    column, by = chance.choice(t.numbers), chance.choice(t.texts)
    if chance.random() < 0.4:
        value = t.value(by)
        only = replace(only, filters=(Filter(by, "=", value),))
        where = chance.choice((" in {v}", " aus {v}", " mit {c} {v}", " für {v}")).format(
            c=by, v=value
        )
    kind = chance.random()
    if kind < 0.3:
        said, function = chance.choice(_GERMAN)
        return said.format(m=column, c=where), replace(only, measures=(Measure(function, column),))
    if kind < 0.45 and not only.filters:
        bound = round(float(t.value(column)))
        more: tuple[str, Comparison] = chance.choice((("mehr", ">"), ("weniger", "<")))
        said = f"Wie viele {t.rows_word()} haben {more[0]} als {bound} {column}?"
        query = replace(only, filters=(Filter(column, more[1], bound),))
        return said, replace(query, measures=(Measure("count"),))
    if kind < 0.6:
        said = chance.choice(("Wie viele {r} gibt es{c}?", "Anzahl der {r}{c}", "Wie viele {r}{c}"))
        return said.format(r=t.rows_word(), c=where), replace(only, measures=(Measure("count"),))
    if only.filters:
        return f"Zeige alle {t.rows_word()}{where}", only
    if kind < 0.8:
        said = chance.choice(("{f} {m} pro {g}", "{f} {m} je {g}", "{f} {m} für jede {g}"))
        word: str = chance.choice(("durchschnittliche", "mittlere"))
        grouped = replace(only, by=by, measures=(Measure("mean", column),), order=by)
        return said.format(f=word, m=column, g=by), grouped
    said = chance.choice(
        ("Welche {g} hat die höchste durchschnittliche {m}?", "{g} mit der höchsten mittleren {m}")
    )
    best = replace(only, by=by, measures=(Measure("mean", column),), columns=(by,), limit=1)
    return said.format(g=by, m=column), replace(best, descending=True)


FURTHER: Final[Sequence[Callable[[_Made, str, Query], _Asked]]] = (
    _route,
    _condition,
    _sold,
    _most_counted,
    _how,
    _adjectives,
    _adjectives,
    _value_of,
    _german,
    _german,
)
