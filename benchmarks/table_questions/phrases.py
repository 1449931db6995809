"""Phrases: everyday questions over made-up tables, to fit on beside real questions.

Real questions over Wikipedia tables hardly group, rank groups or ask for statistics. These do:
every phrase is one way to ask for a `Query`, filled with columns and values of a random table.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from benchmarks.table_questions.further_phrases import (
    FURTHER,
    PLACES,
    ROUTES,
    misspelt,
    second_condition,
)
from benchmarks.table_questions.spoken_phrases import SPOKEN
from okso_jupyter.tables.query import Comparison, Filter, Function, Measure, Part, Query

_TEXTS: Final[dict[str, Sequence[str]]] = {
    "category": ["Toys", "Books", "Garden", "Music", "Food"],
    "team": ["Red Lions", "Blue Sharks", "Green Owls", "Black Bulls"],
    "city": ["Lyon", "Porto", "Graz", "Turin", "Leeds", "Malmo"],
    "store": ["Downtown", "Mall", "Online", "Outlet"],
    "species": ["oak", "pine", "birch", "maple"],
    "brand": ["Velora", "Kinto", "Mistral", "Oxley"],
    "department": ["Legal", "Sales", "Research", "Operations"],
    "status": ["open", "closed", "late", "paid"],
    "gender": ["female", "male"],
    "color": ["red", "green", "blue", "white"],
    "country": ["Norway", "Chile", "Japan", "Kenya", "Canada"],
    "type": ["A", "B", "C"],
    "Sex": ["male", "female"],
    "product_name": ["Mug", "Plate", "Tea Pot", "Spoon"],
    "VehicleType": ["car", "truck", "bus", "bike"],
    "Payment Method": ["cash", "card", "transfer"],
    "level": ["low", "medium", "high"],
    "survived": ["yes", "no"],
}
_NAMES: Final = ("name", "player", "customer", "id", "title", "Patient ID", "model", "employee")
_NUMBERS: Final[dict[str, tuple[float, float, int]]] = {
    "amount": (1, 900, 2),
    "quantity": (1, 60, 0),
    "score": (0, 100, 0),
    "height": (140, 210, 0),
    "weight": (40, 120, 1),
    "population": (1000, 9_000_000, 0),
    "income": (12_000, 180_000, 0),
    "duration_min": (1, 240, 0),
    "Fare": (3, 300, 2),
    "goals": (0, 40, 0),
    "WindSpeed": (0, 80, 1),
    "cost": (1, 5000, 2),
    "GDP per capita": (500, 60_000, 1),
    "rating": (1, 5, 1),
    "votes": (10, 90_000, 0),
    "tip": (0, 20, 2),
    "mileage": (100, 200_000, 0),
    "discount (%)": (0, 50, 0),
    "profit": (-500, 2000, 2),
    "points": (0, 120, 0),
    "visits": (0, 900, 0),
    "age": (1, 90, 0),
    "distance_km": (1, 900, 0),
    "price": (1, 300, 2),
    "temperature": (-10, 40, 1),
    "speed": (5, 200, 0),
    "salary": (20_000, 150_000, 0),
    "size": (1, 500, 0),
}
#: Adjectives and what they say of a column: the largest, the smallest.
_ADJECTIVES: Final = {
    "height": ("tallest", "shortest"),
    "weight": ("heaviest", "lightest"),
    "duration_min": ("longest", "shortest"),
    "Fare": ("most expensive", "cheapest"),
    "cost": ("most expensive", "cheapest"),
    "price": ("priciest", "cheapest"),
    "age": ("oldest", "youngest"),
    "distance_km": ("longest", "shortest"),
    "temperature": ("hottest", "coldest"),
    "speed": ("fastest", "slowest"),
    "size": ("biggest", "smallest"),
    "population": ("most populous", "least populous"),
    "salary": ("best paid", "worst paid"),
    "income": ("richest", "poorest"),
    "points": ("best", "worst"),
    "score": ("best", "worst"),
}
#: Date columns and the word for what happened then.
#: Columns whose numbers count something, and what is done with it.
_COUNTED: Final = frozenset({"quantity", "goals", "votes", "points", "visits"})
_DONE: Final = ("sold", "made", "there", "counted", "scored", "delivered")
_DATES: Final = {
    "date": "recorded",
    "order_date": "ordered",
    "Created At": "created",
    "joined": "joined",
    "day": "there",
    "published": "published",
    "start_date": "started",
    "birth_date": "born",
    "ReleaseDate": "released",
    "closed_on": "closed",
    "signed": "signed",
    "FoundedOn": "founded",
}
#: What rows may be called, and the file is named after.
_THINGS: Final = (
    "game",
    "order",
    "patient",
    "car",
    "ticket",
    "house",
    "student",
    "visit",
    "match",
    "book",
    "tree",
    "payment",
    "passenger",
    "trip",
    "worker",
    "account",
    "shop",
)

#: Shares of phrases: with a hint in brackets, misspelt, of routes, with two conditions.
_HINTED: Final = 0.05
_MISSPELT: Final = 0.07
_ROUTED: Final = 0.15
_TWICE: Final = 0.25
_OVER_ALL: Final = 0.2

_LEADS: Final = (
    "",
    "",
    "",
    "",
    "please show ",
    "can you tell me ",
    "tell me ",
    "show me ",
    "give me ",
    "find ",
    "I need ",
    "calculate ",
    "compute ",
    "get ",
    "zeig mir ",
    "display ",
)
_WHERE: Final = (
    " where {c} is {v}",
    " with {c} {v}",
    " for {c} {v}",
    " for {v}",
    " in {v}",
    " of {v}",
    " among {v}",
    " from {v}",
    " for the {v} {c}",
    " when {c} is {v}",
    " if {c} = {v}",
    " for {c}={v}",
    " that are {v}",
    " for {v} only",
)
_ROWS: Final = ("rows", "records", "entries", "lines", "items", "cases", "data points")
_WORDS: Final[dict[Function, Sequence[str]]] = {
    "mean": ("average", "mean", "avg", "average", "mean", "typical", "durchschnittliche"),
    "sum": ("total", "sum of", "total", "overall", "combined", "summe von", "gesamte"),
    "maximum": (
        "highest",
        "maximum",
        "max",
        "largest",
        "biggest",
        "top",
        "greatest",
        "peak",
        "höchste",
    ),
    "minimum": ("lowest", "minimum", "min", "smallest", "least", "niedrigste"),
    "median": ("median", "median of"),
    "standard deviation": ("standard deviation of", "std of", "standard deviation of the"),
    "variance": ("variance of",),
    "range": ("range of", "spread of"),
    "skewness": ("skewness of",),
    "count distinct": ("number of different", "number of distinct", "number of unique"),
}
_GROUPED: Final[Sequence[Function]] = ("mean", "sum", "maximum", "minimum", "median")
_EACH: Final = (
    " per {g}",
    " by {g}",
    " for each {g}",
    " for every {g}",
    " in each {g}",
    " grouped by {g}",
    " of each {g}",
    " pro {g}",
    " across {g}s",
    " broken down by {g}",
)
_MOST: Final = ("most", "highest", "largest", "biggest", "greatest", "best")
_LEAST: Final = ("least", "lowest", "smallest", "fewest", "worst")


#: How a year is said, and the comparison that it means.
_YEARS: Final[Sequence[tuple[str, Comparison]]] = [
    (" in {}", "="),
    (" during {}", "="),
    (" since {}", ">="),
    (" after {}", ">"),
    (" before {}", "<"),
]
#: How a bound is said.
_BOUNDS: Final[Sequence[tuple[str, Comparison]]] = [
    (" with {c} above {n}", ">"),
    (" with more than {n} {c}", ">"),
    (" where {c} is greater than {n}", ">"),
    (" with {c} over {n}", ">"),
    (" with a {c} of more than {n}", ">"),
    (" with {c} below {n}", "<"),
    (" with less than {n} {c}", "<"),
    (" where {c} is under {n}", "<"),
    (" with fewer than {n} {c}", "<"),
    (" with at least {n} {c}", ">="),
    (" with {c} of at least {n}", ">="),
    (" with {c} >= {n}", ">="),
    (" with at most {n} {c}", "<="),
    (" with {c} <= {n}", "<="),
    (" with {c} > {n}", ">"),
    (" with {c} < {n}", "<"),
]
#: How all rows beyond a bound are asked for.
_LISTS: Final[Sequence[tuple[str, Comparison]]] = [
    ("Which {s}s have more than {n} {m}?", ">"),
    ("which {s}s have a {m} above {n}", ">"),
    ("{s}s with {m} over {n}", ">"),
    ("Who has more than {n} {m}?", ">"),
    ("Which {s}s have less than {n} {m}?", "<"),
    ("list {s}s with {m} below {n}", "<"),
    ("which {s}s have at least {n} {m}", ">="),
    ("Which {s}s have a {m} of at most {n}?", "<="),
]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A question, the table that it is about, and the query that it means."""

    question: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    query: Query
    source: str = "t.csv"


class _Made:
    """A random table and words about it."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.texts = chance.sample(list(_TEXTS), chance.randint(1, 3))
        self.numbers = chance.sample(list(_NUMBERS), chance.randint(1, 4))
        self.dates = chance.sample(list(_DATES), chance.randint(0, 1))
        self.route: tuple[str, ...] = chance.choice(ROUTES) if chance.random() < _ROUTED else ()
        self.is_named = chance.random() < 0.6
        self.thing = chance.choice(_THINGS)
        self.name = chance.choice([*_NAMES, self.thing, f"{self.thing} name"])
        self.flags = chance.choice(
            [[], [], ["active"], ["passed"], ["member"], ["cancelled"], ["returned"]]
        )
        self.keys = chance.choice(
            [[], [], ["No."], [f"{self.thing}_id"], [f"{self.thing.title()}ID"]]
        )
        header = [*self.texts, *self.numbers, *self.dates, self.name, *self.flags]
        chance.shuffle(header)
        place = chance.randint(0, len(header))
        header[place:place] = self.route
        header = [*self.keys, *header]
        self.header = tuple(header)
        cells = [self._cells(name, chance.randint(15, 60)) for name in header]
        size = min(map(len, cells))
        self.rows = tuple(zip(*(column[:size] for column in cells), strict=True))

    def _cells(self, name: str, count: int) -> list[str]:
        chance = self.chance
        if name in self.route or name in _TEXTS:
            values = PLACES if name in self.route else _TEXTS[name]
            return [chance.choice(values) for _ in range(60)]
        if name in _NUMBERS:
            low, high, digits = _NUMBERS[name]
            hole = chance.choice([0, 0, 0.1])
            return [
                "" if chance.random() < hole else f"{chance.uniform(low, high):.{digits}f}"
                for _ in range(60)
            ]
        if name in self.flags:
            yes, no = chance.choice([("yes", "no"), ("True", "False"), ("1", "0"), ("Y", "N")])
            return [chance.choice([yes, no]) for _ in range(60)]
        if name in self.keys:
            start_at = chance.choice([1, 100, 4001])
            return [str(start_at + place) for place in range(60)]
        if name in _DATES:
            start = date(chance.randint(2005, 2022), 1, 1)
            return [(start + timedelta(days=chance.randrange(1200))).isoformat() for _ in range(60)]
        letters = [
            f"{chance.choice('KLMNPRST')}{chance.choice(['ana', 'ero', 'ilo', 'urra', 'ossi'])}{i}"
            for i in range(60)
        ]
        return letters[: max(count, 15)]

    def word(self, name: str) -> str:
        """Return a way to write a column's name."""
        plain = name.replace("_", " ")
        plain = (
            plain
            if plain.isupper()
            else "".join(
                f" {c.lower()}" if c.isupper() and i and plain[i - 1].islower() else c
                for i, c in enumerate(plain)
            )
        )
        plain = plain.split(" (")[0]
        forms = [
            name,
            plain,
            plain.lower(),
            f"the {plain}",
            f'"{name}"',
            f"the {name} column",
            f"column {name}",
        ]
        return self.chance.choices(forms, [2, 3, 4, 2, 1, 1, 1])[0]

    def noun(self, name: str) -> str:
        """Return a column's name as a noun without article."""
        return name.replace("_", " ").split(" (")[0].lower() if self.chance.random() < 0.8 else name

    def rows_word(self) -> str:
        """Return a word for the rows."""
        own = self.thing + ("es" if self.thing.endswith(("s", "ch")) else "s")
        return self.chance.choices(
            [own, self.chance.choice(_ROWS), self.noun(self.name) + "s", "people"], [5, 3, 1, 0.6]
        )[0]

    @property
    def file(self) -> str:
        """The name of the file."""
        return (
            self.thing + ("es" if self.thing.endswith(("s", "ch")) else "s") + ".csv"
            if self.is_named
            else "data.csv"
        )

    def value(self, column: str) -> str:
        """Return a cell of a column."""
        place = self.header.index(column)
        cells = [row[place] for row in self.rows if row[place]]
        return str(self.chance.choice(cells))


def phrases(count: int, seed: int) -> Iterator[Phrase]:
    """Yield phrases about random tables."""
    chance = random.Random(seed)
    made = 0
    while made < count:
        table = _Made(chance)
        for _ in range(4):
            question, query = _one(table)
            if chance.random() < _HINTED and query.measures and query.measures[0].column:
                question += f" ({query.measures[0].column})"
            if chance.random() < _MISSPELT:
                question = misspelt(question, chance)
            if chance.random() < 0.3:
                question = question.lower()
            if not question.startswith(("W", "w", "H", "h")):
                question = chance.choice(_LEADS) + question
            yield Phrase(
                question, table.header, table.rows, replace(query, source=table.file), table.file
            )
            made += 1


def _one(t: _Made) -> tuple[str, Query]:
    """Return one question and its query."""
    chance = t.chance
    makers = (
        _count,
        _statistic,
        _statistic,
        _grouped,
        _grouped,
        _most,
        _extreme,
        _extreme,
        _few,
        _shown,
        _distinct,
        _missing,
        _lookup,
        _related,
        _several,
        _share,
        _compare,
        _dated,
        _adjective,
        _happened,
        _flagged,
        _listed,
        *FURTHER,
        *SPOKEN,
    )
    return chance.choice(makers)(t, *_where(t))


def _where(t: _Made) -> tuple[str, Query]:
    """Return a condition in words, and the query that has it; often none."""
    chance = t.chance
    base = Query("t.csv")
    kind = chance.random()
    if kind < 0.5:
        return "", base
    if kind < 0.8:
        column = chance.choice(t.texts)
        value = t.value(column)
        said = chance.choice(_WHERE).format(
            c=t.noun(column), v=value if chance.random() < 0.7 else value.lower()
        )
        base = replace(base, filters=(Filter(column, "=", value),))
        return second_condition(t, said, base) if chance.random() < _TWICE else (said, base)
    if t.dates and kind < 0.87:
        year = int(t.value(t.dates[0])[:4])
        said, comparison = chance.choice(_YEARS)
        return said.format(year), replace(
            base, filters=(Filter(t.dates[0], comparison, year, "year"),)
        )
    column = chance.choice(t.numbers)
    if chance.random() < 0.12:
        low, high = _two_ends(t, column)
        said = chance.choice(
            [
                " with {c} between {a} and {b}",
                " between {a} and {b} {c}",
                " with {c} from {a} to {b}",
            ]
        )
        return said.format(c=t.noun(column), a=low, b=high), replace(
            base, filters=(Filter(column, "between", (low, high)),)
        )
    bound = round(float(t.value(column)))
    said, comparison = chance.choice(_BOUNDS)
    return said.format(c=t.noun(column), n=bound), replace(
        base, filters=(Filter(column, comparison, bound),)
    )


def _two_ends(t: _Made, column: str) -> tuple[int, int]:
    """Return two different whole numbers within a column, the smaller first."""
    ends = sorted({round(float(t.value(column))) for _ in range(12)})
    return (ends[0], ends[-1]) if len(ends) > 1 else (ends[0], ends[0] + 1)


def _adjective(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask with an adjective that names the column: "the tallest player"."""
    named = [column for column in t.numbers if column in _ADJECTIVES]
    if not named:
        return _extreme(t, where, base)
    chance = t.chance
    column = chance.choice(named)
    descending = chance.random() < 0.6
    adjective = _ADJECTIVES[column][0 if descending else 1]
    if chance.random() < 0.3:
        said = chance.choice(["What is the {a} {m}{c}?", "{a} {m}{c}", "the {a} {m}{c}"])
        function: Function = "maximum" if descending else "minimum"
        return said.format(a=adjective, m=t.noun(column), c=where), replace(
            base, measures=(Measure(function, column),)
        )
    said = chance.choice(
        [
            "Which {s} is the {a}{c}?",
            "who is the {a} {s}{c}?",
            "{a} {s}{c}",
            "what is the {a} {s}{c}?",
            "the {a} {s}{c}",
            "Which is the {a} {s}{c}?",
            "name of the {a} {s}{c}",
        ]
    )
    if chance.random() < 0.15:
        said += f" ({column})"
    what = (
        t.noun(t.name)
        if chance.random() < 0.6
        else chance.choice([t.thing, t.thing, "person", "one"])
    )
    return said.format(a=adjective, s=what, c=where), replace(
        base, order=column, descending=descending, limit=1, columns=(t.name,)
    )


def _happened(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask what happened first or last, or when something happened."""
    if not t.dates:
        return _extreme(t, where, base)
    chance, column = t.chance, t.dates[0]
    verb = _DATES[column]
    if chance.random() < 0.3:
        who = t.value(t.name)
        said = chance.choice(
            ["When was {w} {v}?", "when was {w} {v}", "on which date was {w} {v}?"]
        )
        return said.format(w=who, v=verb), Query(
            "t.csv", (Filter(t.name, "=", who),), columns=(column,)
        )
    descending = chance.random() < 0.5
    end = chance.choice(
        ["last", "most recently", "latest"] if descending else ["first", "earliest"]
    )
    if chance.random() < 0.3:
        said = chance.choice(
            [
                "When was the {e} {t}{c}?",
                "date of the {e} {t}{c}",
                "when did the {e} {t} take place{c}",
            ]
        )
        function: Function = "maximum" if descending else "minimum"
        return said.format(
            e=end.replace("most recently", "most recent"), t=t.thing, c=where
        ), replace(base, measures=(Measure(function, column),))
    said = chance.choice(
        [
            "Who was {v} {e}{c}?",
            "which {s} was {v} {e}{c}",
            "what was {v} {e}{c}?",
            "which {t} was {v} {e}{c}?",
        ]
    )
    return said.format(v=verb, e=end, c=where, s=t.noun(t.name), t=t.thing), replace(
        base, order=column, descending=descending, limit=1, columns=(t.name,)
    )


def _flagged(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask how many rows have yes in a column of yes and no."""
    if not t.flags or base.filters:
        return _count(t, where, base)
    chance, column = t.chance, t.flags[0]
    cells = {row[t.header.index(column)] for row in t.rows}
    yes = next((cell for cell in cells if cell.lower() in {"yes", "true", "1", "y"}), None)
    no = next((cell for cell in cells if cell.lower() in {"no", "false", "0", "n"}), None)
    if yes is None or no is None:
        return _count(t, where, base)
    is_no = chance.random() < 0.35
    own = no if is_no else yes
    value: str | float = int(own) if own.isdigit() else own
    only = Query("t.csv", (Filter(column, "=", value),))
    denied = chance.choice(["not ", "not "]) if is_no else ""
    if chance.random() < 0.25:
        said = chance.choice(
            [
                "What percentage of {r} is {n}{f}?",
                "share of {r} that are {n}{f}, in percent",
                "percent of {r} {n}{f}",
            ]
        )
        return said.format(r=t.rows_word(), n=denied, f=column), replace(
            only, measures=(Measure("share percent"),)
        )
    said = chance.choice(
        [
            "How many {r} are {n}{f}?",
            "number of {r} that are {n}{f}",
            "how many {r} {n}{f}",
            "How many {r} did {n}{f}",
            "how many {f} {r}" if not is_no else "how many {r} were {n}{f}",
        ]
    )
    return said.format(r=t.rows_word(), n=denied, f=column), replace(
        only, measures=(Measure("count"),)
    )


def _listed(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask for the names of all rows that pass a comparison."""
    del where, base
    chance, column = t.chance, t.chance.choice(t.numbers)
    bound = round(float(t.value(column)))
    said, comparison = chance.choice(_LISTS)
    query = Query("t.csv", (Filter(column, comparison, bound),), columns=(t.name,))
    return said.format(
        s=t.noun(t.name) if chance.random() < 0.7 else t.thing, n=bound, m=t.noun(column)
    ), query


def _count(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    what = t.chance.choice([t.rows_word(), t.rows_word(), t.rows_word(), "of them"])
    said = t.chance.choice(
        [
            "How many {w} are there{c}?",
            "How many {w}{c}",
            "number of {w}{c}",
            "count the {w}{c}",
            "what is the number of {w}{c}?",
            "How many {w} have we{c}",
            "Wie viele {w}{c}?",
            "How many {w} does it have{c}",
        ]
    )
    return said.format(w=what, c=where), replace(base, measures=(Measure("count"),))


def _of_all(t: _Made) -> str:
    """Return words about all rows; "by" in them groups nothing."""
    groups = [t.noun(name) + "s" for name in t.texts]
    said = t.chance.choice(
        [
            " {v} by the {w}", " {v} by {w}", " {v} by all {w}", " of all {w}", " among the {w}",
            " across all {g}", " over all {g}", " across all {g} and {h}", " in the dataset",
            " in the data", " for the whole table", " over the years",
        ]
    )  # fmt: skip
    done = ("paid", "earned", "recorded", "made", "reported", "reached", "given", "observed")
    own = t.thing + ("es" if t.thing.endswith(("s", "ch")) else "s")
    return said.format(
        v=t.chance.choice(done), w=own, g=t.chance.choice(groups), h=t.chance.choice(groups)
    )


def _statistic(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    chance = t.chance
    if not where and chance.random() < _OVER_ALL:
        where = _of_all(t)
    function: Function = chance.choices(list(_WORDS)[:-1], [6, 6, 5, 5, 2, 2, 1, 1, 1])[0]
    column = chance.choice(t.numbers)
    word = chance.choice(_WORDS[function])
    said = chance.choice(
        [
            "What is the {f} {m}{c}?",
            "{f} {m}{c}",
            "the {f} {m}{c}",
            "what was the {f} {m}{c}",
            "What's the {f} {m}{c}?",
            "Was ist der {f} {m}{c}?",
        ]
    )
    counted = [name for name in t.numbers if name in _COUNTED]
    if function == "sum" and counted and chance.random() < 0.5:
        column = chance.choice(counted)
        said = chance.choice(
            ["How many {m}{c}?", "How many {m} were {v}{c}?", "how many {m} {v}{c}"]
        )
        text = said.format(m=t.noun(column), c=where, v=chance.choice(_DONE))
        return text, replace(base, measures=(Measure(function, column),))
    if function == "sum" and chance.random() < 0.4:
        said, word = (
            chance.choice(
                [
                    "How much {m} is there{c}?",
                    "how much {m} in total{c}",
                    "add up {m}{c}",
                    "total of {m}{c}",
                    "What is the sum of all {m}{c}?",
                ]
            ),
            "",
        )
    text = said.format(f=word, m=t.word(column), c=where)
    return " ".join(text.split()), replace(base, measures=(Measure(function, column),))


def _part(t: _Made) -> tuple[str, str, Part]:
    """Return a column to group by, its word, and the part of its date."""
    if t.dates and t.chance.random() < 0.4:
        part: Part = t.chance.choice(["year", "month"])
        return t.dates[0], part, part
    column = t.chance.choice(t.texts)
    return column, t.noun(column), ""


def _grouped(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    chance = t.chance
    by, word, part = _part(t)
    each = chance.choice(_EACH).format(g=word)
    if chance.random() < 0.3:
        said = chance.choice(
            [
                "How many {w}{c}{e}?",
                "number of {w}{c}{e}",
                "count {w}{c}{e}",
                "{w}{c}{e}",
                "How many {w} are there{c}{e}?",
                "how often does each {g} occur{c}",
                "distribution of {g}{c}",
            ]
        )
        text = said.format(w=t.rows_word(), c=where, e=each, g=word)
        return text, replace(base, by=by, part=part, measures=(Measure("count"),), order=by)
    function = chance.choices(_GROUPED, [5, 5, 2, 2, 1])[0]
    column = chance.choice(t.numbers)
    said = chance.choice(
        [
            "What is the {f} {m}{c}{e}?",
            "{f} {m}{c}{e}",
            "{f} {m}{e}{c}",
            "show the {f} {m}{e}{c}",
            "{m} {f}{e}{c}",
        ]
    )
    text = said.format(f=chance.choice(_WORDS[function]), m=t.word(column), c=where, e=each)
    if function == "sum" and chance.random() < 0.3:
        text = f"{t.noun(column)}{each}{where}"
    return text, replace(base, by=by, part=part, measures=(Measure(function, column),), order=by)


def _most(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask for the group with the most."""
    chance = t.chance
    by, word, part = _part(t)
    descending = chance.random() < 0.7
    end = chance.choice(_MOST if descending else _LEAST)
    grouped = replace(base, by=by, part=part, descending=descending, columns=(by,), limit=1)
    if chance.random() < 0.35:
        said = chance.choice(
            [
                "Which {g} placed the most {w}{c}?" if descending else "{g} with fewest {w}{c}",
                "Which {g} is the most popular{c}?" if descending else "rarest {g}{c}",
                "Which {g} has the {e} {w}{c}?",
                "which {g} appears {e} often{c}",
                "{g} with the {e} {w}{c}",
                "what {g} has {e} {w}{c}",
                "most common {g}{c}" if descending else "least common {g}{c}",
            ]
        )
        text = said.format(
            g=word, e="most" if descending and "often" in said else end, w=t.rows_word(), c=where
        )
        return text, replace(grouped, measures=(Measure("count"),))
    column = chance.choice(t.numbers)
    if chance.random() < 0.5:
        function: Function = "mean"
        said = chance.choice(
            [
                "Which {g} has the {e} average {m}{c}?",
                "which {g} has the {e} mean {m}{c}",
                "{g} with the {e} average {m}{c}",
                "What {g} has the {e} avg {m}{c}?",
            ]
        )
    else:
        function = "sum"
        said = chance.choice(
            [
                "Which {g} has the {e} total {m}{c}?",
                "which {g} has the {e} {m} overall{c}",
                "{g} with the {e} total {m}{c}",
                "which {g} had {e} {m} in total{c}",
                "Which {g} {v} the {e} {m}{c}?",
                "Which {g} has the {e} {m}{c}?",
            ]
        )
        if said.startswith("Which {g} has the {e} {m}{c}") and (part or chance.random() < 0.5):
            said = "Which {g} has the {e} sum of {m}{c}?"
    done = chance.choice(("sold", "made", "got", "had", "scored", "collected"))
    return said.format(g=word, e=end, m=t.noun(column), c=where, v=done), replace(
        grouped, measures=(Measure(function, column),)
    )


def _extreme(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask which row has the largest or smallest value."""
    chance = t.chance
    column = chance.choice([*t.numbers, *t.dates])
    descending = chance.random() < 0.65
    show = t.name if chance.random() < 0.8 else chance.choice(t.texts)
    ordered = replace(base, order=column, descending=descending, limit=1, columns=(show,))
    if column in t.dates:
        end = chance.choice(
            ["latest", "newest", "most recent", "last"]
            if descending
            else ["earliest", "oldest", "first"]
        )
        if chance.random() < 0.4:
            function: Function = "maximum" if descending else "minimum"
            said = chance.choice(
                ["What is the {e} {m}{c}?", "{e} {m}{c}", "When was the {e} one{c}?"]
            )
            return said.format(e=end, m=t.noun(column), c=where), replace(
                base, measures=(Measure(function, column),)
            )
    else:
        end = chance.choice(_MOST if descending else _LEAST)
    said = chance.choice(
        [
            "Which {s} has the {e} {m}{c}?",
            "what {s} has the {e} {m}{c}?",
            "{s} with the {e} {m}{c}",
            "who has the {e} {m}{c}?" if show == t.name else "Which {s} had the {e} {m}{c}?",
            "the {s} of the {e} {m}{c}",
        ]
    )
    return said.format(s=t.noun(show), e=end, m=t.noun(column), c=where), ordered


def _few(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask for the largest few rows or groups, or the first few rows."""
    chance = t.chance
    count = chance.randint(2, 10)
    column = chance.choice(t.numbers)
    kind = chance.random()
    if kind < 0.3:
        end = chance.choice(["first", "last"])
        said = chance.choice(["the {e} {n} {r}{c}", "show the {e} {n} {r}{c}", "{e} {n} {r}{c}"])
        return said.format(e=end, n=count, r=t.rows_word(), c=where), replace(
            base, limit=count, descending=end == "last"
        )
    descending = chance.random() < 0.75
    if kind < 0.6:
        end = chance.choice(_MOST if descending else _LEAST)
        said = chance.choice(
            [
                "the {n} {r} with the {e} {m}{c}",
                "show the {n} {r} with {e} {m}{c}",
                "{n} {r} with the {e} {m}{c}",
                "top {n} {r} by {m}{c}" if descending else "bottom {n} {r} by {m}{c}",
            ]
        )
        return said.format(n=count, r=t.rows_word(), e=end, m=t.noun(column), c=where), replace(
            base, order=column, descending=descending, limit=count
        )
    if kind < 0.75:
        said = chance.choice(
            [
                "sort by {m}{c}",
                "sort the rows by {m}{c}",
                "rows sorted by {m}{c}",
                "order by {m}{c}",
            ]
        )
        down = chance.random() < 0.5
        return said.format(m=t.noun(column), c=where) + (
            chance.choice([" descending", ", highest first", " from largest to smallest"])
            if down
            else ""
        ), replace(base, order=column, descending=down)
    by = chance.choice(t.texts)
    grouped = replace(
        base, by=by, measures=(Measure("sum", column),), descending=descending, limit=count
    )
    said = (
        chance.choice(
            [
                "top {n} {g}s by {m}{c}",
                "the {n} {g}s with the most {m}{c}",
                "top {n} {g} by total {m}{c}",
            ]
        )
        if descending
        else "the {n} {g}s with the least {m}{c}"
    )
    return said.format(n=count, g=t.noun(by), m=t.noun(column), c=where), grouped


def _shown(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask for the rows or values that pass a filter."""
    while not base.filters:
        where, base = _where(t)
    if t.chance.random() < 0.5:
        said = t.chance.choice(
            [
                "show the {r}{c}",
                "list all {r}{c}",
                "all {r}{c}",
                "{r}{c}",
                "only the {r}{c}",
                "filter the {r}{c}",
            ]
        )
        return said.format(r=t.rows_word(), c=where), base
    said = t.chance.choice(
        [
            "Which {s}s{c}?",
            "list the {s}s{c}",
            "{s} of the rows{c}",
            "names of {s}{c}",
            "what are the {s}s{c}",
            "show {s}{c}",
            "which {s} are there{c}",
        ]
    )
    return said.format(s=t.noun(t.name), c=where), replace(base, columns=(t.name,))


def _distinct(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    column = t.chance.choice(t.texts)
    if t.chance.random() < 0.5:
        said = t.chance.choice(
            [
                "How many different {s}s are there{c}?",
                "how many {s}s are there{c}",
                "number of unique {s}s{c}",
                "How many distinct values has {s}{c}?",
                "count distinct {s}{c}",
            ]
        )
        return said.format(s=t.noun(column), c=where), replace(
            base, measures=(Measure("count distinct", column),)
        )
    said = t.chance.choice(
        [
            "Which {s}s are there{c}?",
            "what are the different {s}s{c}",
            "list the {s}s{c}",
            "unique values of {s}{c}",
            "list all distinct {s}s{c}",
        ]
    )
    return said.format(s=t.noun(column), c=where), replace(base, columns=(column,), distinct=True)


def _missing(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    column = t.chance.choice(t.numbers)
    if t.chance.random() < 0.25:
        said = t.chance.choice(
            [
                "What percentage of {m} is missing{c}?",
                "percent of missing values in {m}{c}",
                "share of null {m} in percent{c}",
            ]
        )
        return said.format(m=t.word(column), c=where), replace(
            base, measures=(Measure("missing percent", column),)
        )
    said = t.chance.choice(
        [
            "How many missing values are there in {m}{c}?",
            "number of nulls in {m}{c}",
            "How many {m} values are missing{c}?",
            "count empty {m}{c}",
            "how many rows have no {m}{c}",
            "how many NaN in {m}{c}",
        ]
    )
    return said.format(m=t.word(column), c=where), replace(
        base, measures=(Measure("missing", column),)
    )


def _lookup(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask for a value of the row of one name."""
    del where
    who = t.value(t.name)
    column = t.chance.choice([*t.numbers, *t.texts, *t.dates])
    said = t.chance.choice(
        [
            "What is the {m} of {w}?",
            "{m} of {w}",
            "{w}'s {m}",
            "what {m} does {w} have?",
            "How much {m} has {w}?" if column in t.numbers else "Which {m} has {w}?",
            "which {m} is {w} in",
            "{m} for {w}",
        ]
    )
    return said.format(m=t.noun(column), w=who), replace(
        base, filters=(Filter(t.name, "=", who),), columns=(column,)
    )


def _related(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    if len(t.numbers) < 2:
        return _statistic(t, where, base)
    first, second = t.chance.sample(t.numbers, 2)
    said = t.chance.choice(
        [
            "correlation between {a} and {b}{c}",
            "Is there a correlation between {a} and {b}{c}?",
            "how strongly is {a} related to {b}{c}",
            "What is the correlation of {a} with {b}{c}?",
            "Pearson correlation coefficient between {a} and {b}{c}",
        ]
    )
    return said.format(a=t.word(first), b=t.word(second), c=where), replace(
        base, measures=(Measure("correlation", first, second),)
    )


def _several(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    pairs: list[tuple[Function, Function]] = [
        ("mean", "standard deviation"),
        ("minimum", "maximum"),
        ("mean", "median"),
    ]
    first, second = t.chance.choice(pairs)
    word = {
        "mean": "mean",
        "standard deviation": "standard deviation",
        "minimum": "minimum",
        "maximum": "maximum",
        "median": "median",
    }
    short = {**word, "minimum": "min", "maximum": "max", "mean": "average"}
    names = t.chance.choice([word, short])
    column = t.chance.choice(t.numbers)
    said = t.chance.choice(
        [
            "{a} and {b} of {m}{c}",
            "the {a} and the {b} of {m}{c}",
            "What are the {a} and {b} {m}{c}?",
            "Calculate the {a} and {b} of the {m} column{c}",
            'Calculate the {a} and {b} of the "{m}" column{c}.',
            'the {a} and {b} of the "{m}" values',
        ]
    )
    return said.format(a=names[first], b=names[second], m=t.word(column), c=where), replace(
        base, measures=(Measure(first, column), Measure(second, column))
    )


def _share(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    del where, base
    column = t.chance.choice(t.texts)
    value = t.value(column)
    query = Query("t.csv", (Filter(column, "=", value),), measures=(Measure("share percent"),))
    said = t.chance.choice(
        [
            "What percentage of {r} is {v}?",
            "what share of {r} has {g} {v}",
            "percentage of {v} {r}",
            "percent of {r} with {g} {v}",
            "What proportion of the {r} are {v}, in percent?",
        ]
    )
    return said.format(r=t.rows_word(), v=value, g=t.noun(column)), query


def _compare(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    """Ask for the difference of two groups, or for both."""
    del where, base
    column = t.chance.choice(t.texts)
    first, second = t.value(column), t.value(column)
    if first == second or not t.numbers:
        return _statistic(t, "", Query("t.csv"))
    number = t.chance.choice(t.numbers)
    function: Function = t.chance.choice(["mean", "sum"])
    word = t.chance.choice(_WORDS[function])
    both = Query(
        "t.csv",
        (Filter(column, "in", (first, second)),),
        by=column,
        measures=(Measure(function, number),),
    )
    if t.chance.random() < 0.5:
        said = t.chance.choice(
            [
                "difference of {f} {m} between {a} and {b}",
                "What is the difference in {f} {m} between {a} and {b}?",
            ]
        )
        return said.format(f=word, m=t.noun(number), a=first, b=second), replace(
            both, combine="difference"
        )
    said = t.chance.choice(
        ["{f} {m} of {a} and {b}", "compare the {f} {m} of {a} and {b}", "{f} {m} for {a} vs {b}"]
    )
    return said.format(f=word, m=t.noun(number), a=first, b=second), replace(both, order=column)


def _dated(t: _Made, where: str, base: Query) -> tuple[str, Query]:
    if not t.dates:
        return _count(t, where, base)
    year = int(t.value(t.dates[0])[:4])
    only = Query("t.csv", (Filter(t.dates[0], "=", year, "year"),))
    if t.chance.random() < 0.5:
        said = t.chance.choice(
            [
                "How many {r} were in {y}?",
                "number of {r} in {y}",
                "how many {r} are from {y}",
                "count of {r} in the year {y}",
            ]
        )
        return said.format(r=t.rows_word(), y=year), replace(only, measures=(Measure("count"),))
    return _statistic(t, f" in {year}", only)
