"""TableSample: the beginning of a table, as the texts of its cells and what they mean."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from okso_jupyter.planning.table_questions.clock_times import clock_length
from okso_jupyter.planning.table_questions.word_meanings import header_meanings
from okso_jupyter.planning.table_questions.words import (
    header_stems,
    header_words,
    row_stems,
    stem,
    tokens,
)
from okso_jupyter.tables.cells import (
    Kind,
    date_format_of,
    date_of,
    has_decimal_commas,
    is_missing,
    is_of_months,
    kind_of,
    number_of,
    unique_names,
    with_point,
)
from okso_jupyter.tables.joins import join_key
from okso_jupyter.tables.query import ComputedColumn, Join

#: Pairs of cells that mean yes and no.
FLAGS: Final = (("yes", "no"), ("true", "false"), ("1", "0"), ("y", "n"), ("ja", "nein"))
#: Cells of such columns that mean neither.
_UNDECIDED: Final = frozenset(
    "unsure,maybe,unknown,undecided,don't know,open,pending,partly,vielleicht,unbekannt,offen,"
    "ausstehend,teilweise".split(",")
)
_EPOCH: Final = datetime(1, 1, 1)  # noqa: DTZ001  cells name no zone
_MOST_GROUPS: Final = 0.7
_FEW_GROUPS: Final = 10
#: Rows for each value from which values come in pairs, and are kinds.
_PAIRS: Final = 2
_KINDS: Final = 5
_FIRST_YEAR, _LAST_YEAR = 1500, 2200
#: Stems of the names of columns that count things.
_QUANTITIES: Final = frozenset(
    "unit quantiti qti qty count piec stock amount sold copi meng anzahl bestand stuck".split()
)
#: Words of the names of columns that number the rows.
#: Rows whose numbers tell that they are counted.
_LEAST_NUMBERED: Final = 3
_KEYS: Final = frozenset({"id", "no", "nr", "index", "key", "number", "#"})

#: Words of the names of columns whose numbers are how to reach or to name something.
_REACHED_BY: Final = frozenset(
    "phone telephone telefon tel fax cellphone landline zip zipcode plz postcode postleitzahl iban "
    "bic isbn ean barcode sku hausnummer housenumber ssn".split()
)
_MOBILE: Final = frozenset({"mobile", "mobil", "handy", "cell"})
#: What has a number by which it is known: "account no", and no "account balance" or "tax".
_KNOWN_BY_NUMBER: Final = _MOBILE | frozenset(
    "account konto house haus postal post contact kontakt bank customer kunden member mitglieds "
    "licence license passport tax steuer serial serien".split()
)
_NUMBERED: Final = frozenset({"number", "no", "nr", "nummer", "num", "code", "id"})
_COMPOUND_NUMBER: Final = re.compile(r"\w{3,}(?:nummer|nr)")

#: A number with points between its thousands, and one with a decimal comma.
_POINTED: Final = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?(?![\w.]|,\d)")
_COMMA: Final = re.compile(r"(?<![\w.,])\d+,\d{1,2}(?![\w.]|,\d)")

#: What is known of a column by its name.
_OF_NAME: Final = (
    "stems",
    "meanings",
    "joined",
    "is_done",
    "is_quantity",
    "is_key",
    "is_identifier",
)


class ColumnSample:
    """One column.

    Attributes:
        name: Its name.
        cells: The texts of its cells.
        has_thousands: Whether its points stand between thousands (`cells.thousands_columns`).
        beyond: Cells of a joined table that belong to no row here: a customer without orders.
    """

    def __init__(
        self,
        name: str,
        cells: Sequence[str],
        *,
        has_thousands: bool = False,
        beyond: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.cells = cells
        self.has_thousands = has_thousands
        self.beyond = beyond

    def renamed(self, name: str) -> ColumnSample:
        """Return the same cells under another name; what was found out about them is kept."""
        if name == self.name:
            return self
        other = copy.copy(self)
        other.name = name
        for known in _OF_NAME:
            other.__dict__.pop(known, None)
        return other

    @cached_property
    def join_keys(self) -> frozenset[str]:
        """What rows of other tables must share with a cell to belong to its row."""
        return frozenset(map(join_key, self.cells)) - {""}

    @cached_property
    def names_rows(self) -> bool:
        """Whether each row has a value of its own."""
        return len(self.join_keys) == len(self.cells)

    @cached_property
    def kind(self) -> Kind:
        """What the cells hold."""
        return kind_of([*map(with_point, self.cells)] if self.decimal_comma else self.cells)

    @cached_property
    def decimal_comma(self) -> bool:
        """Whether "1.234,5" is a number a little above a thousand."""
        return self.has_thousands or has_decimal_commas(self.cells)

    @cached_property
    def clock_length(self) -> int:
        """The length of each cell if all are times of day, such as "06:30"; 0 if not."""
        return clock_length(self.cells)

    @cached_property
    def has_times(self) -> bool:
        """Whether its dates have times of day."""
        return any(day and (day.hour, day.minute, day.second) != (0, 0, 0) for day in self.dates)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of the name's words."""
        return header_stems(self.name)

    @cached_property
    def meanings(self) -> frozenset[str]:
        """The stems of the name, and of what it means in either language."""
        return header_meanings(self.name)

    @cached_property
    def joined(self) -> str:
        """The name's words as one word, for "totaleur" of the column TotalEUR."""
        return "".join(tokens(self.name.replace("_", "")))

    @cached_property
    def flags(self) -> tuple[str, str] | None:
        """The cells that mean yes and no; None if the column has others than these and "unsure"."""
        values = {cell.strip().lower(): cell for cell in self.cells if not is_missing(cell)}
        for yes, no in FLAGS:
            others = values.keys() - {yes, no}
            if {yes, no} <= values.keys() and others <= _UNDECIDED:
                return values[yes], values[no]
        return None

    @cached_property
    def is_done(self) -> bool:
        """Whether the cells are when something was done, by the name: "ordered", "shipped"."""
        return self.kind == "date" and self.name.lower().endswith("ed")

    @cached_property
    def repeats(self) -> bool:
        """Whether values occur several times, so that rows can be grouped by them."""
        few = min(_FEW_GROUPS, len(self.cells) - 1)
        return len(self.places) <= max(few, _MOST_GROUPS * len(self.cells))

    @cached_property
    def has_cases(self) -> bool:
        """Whether some values differ by the case of letters alone; codes of one row each do not."""
        if self.kind not in {"text", "mixed"} or not self.repeats:
            return False
        present = [cell.strip() for cell in self.cells if not is_missing(cell)]
        different = set(present)
        return len({cell.lower() for cell in different}) < len(different) < len(present)

    @cached_property
    def grouping(self) -> str:
        """How much rows share values: "none", "some", "pairs" or "kinds" (five rows and more)."""
        rows = len(self.cells) / max(1, len(self.places))
        return (
            "none"
            if rows <= 1
            else "some"
            if rows < _PAIRS
            else "pairs"
            if rows < _KINDS
            else "kinds"
        )

    @cached_property
    def is_year(self) -> bool:
        """Whether the numbers are years."""
        known = [value for value in self.numbers if value is not None]
        return self.has_numbers and all(
            value == int(value) and _FIRST_YEAR <= value <= _LAST_YEAR for value in known
        )

    @cached_property
    def is_quantity(self) -> bool:
        """Whether the numbers count things, by the column's name."""
        return self.has_numbers and not self.is_key and not _QUANTITIES.isdisjoint(self.stems)

    @cached_property
    def is_key(self) -> bool:
        """Whether the numbers name rows: whole, all different, and counted up or called so."""
        known = [value for value in self.numbers if value is not None]
        if not known or len(set(known)) < len(known) or any(v != int(v) for v in known):
            return False
        is_counted = known == [known[0] + place for place in range(len(known))]
        return is_counted or not _KEYS.isdisjoint(self.stems)

    @cached_property
    def is_identifier(self) -> bool:
        """Whether the name says that the numbers are no amounts: telephones, postcodes."""
        words = header_words(self.name)
        if any(word in _REACHED_BY or _COMPOUND_NUMBER.fullmatch(word) for word in words):
            return True
        rest = [word for word in words if word not in _NUMBERED]
        known = _KNOWN_BY_NUMBER if len(rest) < len(words) else _MOBILE
        return bool(rest) and known.issuperset(rest)

    @cached_property
    def has_whole_names(self) -> bool:
        """Whether each row has a whole number of its own."""
        known = [value for value in self.numbers if value is not None]
        return self.names_rows and bool(known) and all(value == int(value) for value in known)

    @cached_property
    def has_numbers(self) -> bool:
        """Whether the cells can be compared as numbers."""
        return self.kind in {"number", "mixed"}

    @cached_property
    def is_name(self) -> bool:
        """Whether the numbers only tell names apart.

        They do behind several words ("Room 3", "Hall 1"), and behind the column's own name.
        """
        present = [cell.strip() for cell in self.cells if not is_missing(cell)]
        named = [cell.split()[0].lower() for cell in present if cell[0].isalpha()]
        is_mostly = len(named) > _MOST_GROUPS * len(present)
        words = set(named)
        are_names = len(words) > 1 or any(stem(word) in self.stems for word in words)
        return self.kind == "mixed" and is_mostly and are_names

    @cached_property
    def present(self) -> list[str | None]:
        """The texts of the cells; None where a cell says nothing."""
        return [None if is_missing(cell) else cell for cell in self.cells]

    @cached_property
    def numbers(self) -> list[float | None]:
        """The first number of each cell; None where there is none."""
        cells = map(with_point, self.cells) if self.decimal_comma else self.cells
        return [None if is_missing(cell) else number_of(cell) for cell in cells]

    @cached_property
    def date_format(self) -> str:
        """The format of the dates; "" for other kinds."""
        return date_format_of(self.cells) if self.kind == "date" else ""

    @cached_property
    def is_of_months(self) -> bool:
        """Whether the dates are months, without a day."""
        return is_of_months(self.date_format)

    @cached_property
    def dates(self) -> list[datetime | None]:
        """The date of each cell, a month's first day; None where there is none."""
        own = self.date_format
        return [date_of(cell, own) if own else None for cell in self.cells]

    @cached_property
    def keys(self) -> list[float | None]:
        """What rows are sorted and compared by: numbers, or dates as seconds."""
        if self.kind == "date":
            return [None if d is None else (d - _EPOCH).total_seconds() for d in self.dates]
        return self.numbers

    @cached_property
    def places(self) -> dict[tuple[str, ...], list[int]]:
        """The rows of each distinct value, by its tokens."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row, cell in enumerate(self.cells):
            if value := tokens(cell):
                found.setdefault(value, []).append(row)
        return found

    @cached_property
    def values(self) -> dict[tuple[str, ...], str]:
        """The first cell of each distinct value, by its tokens, with those of no row here."""
        found = {value: self.cells[rows[0]] for value, rows in self.places.items()}
        return {tokens(cell): cell for cell in self.beyond if tokens(cell)} | found


@dataclass(frozen=True, slots=True)
class Composition:
    """What a table is made of beside its first table.

    Attributes:
        joins: The tables that stand beside the first one.
        joined_by: The joins that each joined column needs, by its name; empty where the names
            depend on all of the joins.
        computed: The columns that are computed of others, the last ones.
    """

    joins: tuple[Join, ...] = ()
    joined_by: Mapping[str, tuple[Join, ...]] = field(default_factory=dict)
    computed: tuple[ComputedColumn, ...] = ()


class TableSample:
    """The beginning of a table.

    Attributes:
        source: Its file, or the name of the variable.
        made_of: What stands beside the columns of that source.
        stems: The stems of the words of the source's name: what its rows may be called.
        columns: Its columns, by name.
        count: The number of rows known.
        header_words: The words of the columns' names.

    Args:
        source: As above.
        header: The names of the columns.
        rows: The texts of their cells.
        made_of: As above.
        thousands: The places of the columns whose points stand between thousands.
    """

    def __init__(
        self,
        source: str,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        made_of: Composition | None = None,
        thousands: Collection[int] = (),
    ) -> None:
        self.source = source
        self.made_of = made_of or Composition()
        self.stems = row_stems(source)
        names = unique_names(header)
        width = len(names)
        padded = [[*row, *[""] * (width - len(row))] if len(row) < width else row for row in rows]
        self.count = len(padded)
        self.header_words = frozenset(w for name in names for w in header_words(name))
        self.columns = {
            name: ColumnSample(
                name, [row[place] for row in padded], has_thousands=place in thousands
            )
            for place, name in enumerate(names)
        }

    @classmethod
    def of_columns(
        cls, source: str, columns: Sequence[ColumnSample], made_of: Composition
    ) -> TableSample:
        """Return a table of columns, about which nothing is found out anew."""
        table = cls(source, [column.name for column in columns], [], made_of)
        table.columns = {column.name: column for column in columns}
        table.count = max((len(column.cells) for column in columns), default=0)
        return table

    @cached_property
    def single_names(self) -> frozenset[str]:
        """The columns' names that are one word: `tierart`, and not `kunde_id`."""
        words = map(header_words, self.columns)
        return frozenset(found[0] for found in words if len(found) == 1)

    @cached_property
    def numberings(self) -> frozenset[str]:
        """The columns that only number the rows: keys by their name, the first one, or the rows'.

        Amounts that happen to count up are none.
        """
        if self.count < _LEAST_NUMBERED:
            return frozenset()
        first, rows = next(iter(self.columns), ""), frozenset(self.stems)
        keys = {name: column for name, column in self.columns.items() if column.is_key}
        named = {name for name, c in keys.items() if not (_KEYS | rows).isdisjoint(c.stems)}
        # the numbers of tickets.csv may have gaps
        gaps = {
            name
            for name, column in self.columns.items()
            if name == first and column.has_whole_names and not rows.isdisjoint(column.stems)
        }
        return frozenset(named | gaps | ({first} & keys.keys()))

    def without(self, names: Collection[str]) -> TableSample:
        """Return the table without some of its columns."""
        kept = [column for name, column in self.columns.items() if name not in names]
        return TableSample.of_columns(self.source, kept, self.made_of)

    def with_points(self, question: str) -> str:
        """Return a question with its numbers as others write them, where the table's have commas.

        "Mehr als 1.200" is more than 1200 of a column that holds "1.260", and "1,5" is 1.5.
        """
        if not any(column.decimal_comma for column in self.columns.values()):
            return question
        for pattern in (_POINTED, _COMMA):
            question = pattern.sub(lambda found: with_point(found[0]), question)
        return question

    def __getitem__(self, name: str) -> ColumnSample:
        return self.columns[name]
