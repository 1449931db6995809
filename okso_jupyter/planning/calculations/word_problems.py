"""Word problems: what each pays, what one or some cost, a price after a discount, a rate in time.

A text is split into clauses. Each must say one known thing as a whole, and the things that are
said must be those of one formula: a clause that says anything else leaves the text to the model.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.planning.calculations.named_things import (
    is_counted_in,
    is_one_of_many,
    is_paid_by_each,
    is_same_thing,
    is_the_thing,
    may_be_left_out,
)
from okso_jupyter.planning.calculations.problem_clauses import clause_readings, clauses_of

#: The calculation of what the clauses of a text say together.
_FORMULAS: Final[Mapping[frozenset[str], str]] = {
    frozenset(kinds.split()): written
    for kinds, written in {
        "price sharers what_each": "{total} / {people}",
        "shared what_each": "{total} / {people}",
        "shared": "{total} / {people}",
        "price sharers tip what_each": "{total} * (1 + {percent}/100) / {people}",
        "shared tip what_each": "{total} * (1 + {percent}/100) / {people}",
        "bundle what_one": "{total} / {count}",
        "bundle what_some": "{total} / {count} * {wanted}",
        "single what_some": "{total} * {wanted}",
        "apiece": "{count} * {total}",
        "apiece what_all": "{count} * {total}",
        "price what_each_of": "{total} / {people}",
        "price_for what_each": "{total} / {people}",
        "shared_ways": "{total} / {people}",
        "shared_ways what_each": "{total} / {people}",
        "shared tip": "{total} * (1 + {percent}/100) / {people}",
        "to_pay tip": "{total} * (1 + {percent}/100)",
        "price tip what_now": "{total} * (1 + {percent}/100)",
        "price what_tip": "{total} * {percent}/100",
        "to_pay off": "{total} * (1 - {percent}/100)",
        "single rate what_in_time": "{total} * {rate} * {wanted}",
        "each_needs how_many": "{people} * {rate}",
        "rate what_in_time": "{rate} * {wanted}",
        "rate how_long_for": "{wanted} / {rate}",
        "price off": "{total} * (1 - {percent}/100)",
        "price off what_now": "{total} * (1 - {percent}/100)",
        "price off what_saved": "{total} * {percent}/100",
        "price up what_now": "{total} * (1 + {percent}/100)",
        "had spent what_left": "{total} - {spent}",
        "had spent spent_too what_left": "{total} - {spent} - {spent_too}",
    }.items()
}
#: What the clauses name of which all must be the same: the thing, what is done, the unit of time.
_AGREEING: Final = (
    ("thing", "one", "some"),
    ("verb", "verb_again"),
    ("period", "periods"),
)
#: Words for what was before a change of a price, and for what is after it.
_EARLIER: Final = re.compile(
    r"\b(?:original|old|full|regular|normal|usual|initial|previous|former|list|first|before|"
    r"alte[rn]?|ursprüngliche[rn]?|volle[rn]?|reguläre[rn]?|normale[rn]?|frühere[rn]?)\b"
)
_LATER: Final = re.compile(
    r"\b(?:sale|reduced|discounted|new|final|now|jetzt|neue[rn]?|reduzierte[rn]?|"
    r"(?:angebots|sonder|aktions)preis)\b"
)
_MOST_CLAUSES: Final = 5


def word_problem(text: str) -> str:
    """Return the calculation of a text in small letters that is a word problem; else ""."""
    clauses = clauses_of(text)
    if len(clauses) > _MOST_CLAUSES:
        return ""
    found = {_calculated(said) for said in itertools.product(*map(clause_readings, clauses))} - {""}
    # clauses that may be read in two ways with two results say nothing for sure
    return found.pop() if len(found) == 1 else ""


def _calculated(said: Sequence[Mapping[str, str | None]]) -> str:
    """Return the calculation of what the clauses say; "" where they have no formula.

    All must be of one thing.
    """
    kinds = [str(each["kind"]) for each in said]
    formula = _FORMULAS.get(frozenset(kinds), "")
    if len({*kinds}) < len(kinds) or not all(_agree(said, names) for names in _AGREEING):
        return ""
    named = {name: value for each in said for name, value in each.items() if value}
    if not formula or not (_is_of_the_thing(named) and _is_divided(named, formula)):
        return ""
    if {"off", "up"}.intersection(kinds) and _is_asked_back(named):
        return ""
    if {"what_one", "what_some"}.intersection(kinds) and not _is_in_one_measure(named):
        return ""
    return formula.format_map(named)


def _agree(said: Sequence[Mapping[str, str | None]], names: Sequence[str]) -> bool:
    """Return whether the clauses name the same under such names, where they name it."""
    named = [value for each in said for name in names if (value := each.get(name))]
    return all(itertools.starmap(is_same_thing, itertools.combinations(named, 2)))


def _is_in_one_measure(named: Mapping[str, str]) -> bool:
    """Return whether a price and its question name a thing both, or one that needs no name."""
    given, asked = named.get("thing", ""), named.get("one", named.get("some", ""))
    return bool(given and asked) or not (given or asked) or may_be_left_out(given or asked)


def _is_of_the_thing(named: Mapping[str, str]) -> bool:
    """Return whether "the" thing of a clause is the one that has the price."""
    again = [named[name] for name in ("item", "dealt") if name in named]
    thing = named.get("thing", again[0] if again else "")
    return all(is_the_thing(thing, name) for name in again)


def _is_divided(named: Mapping[str, str], formula: str) -> bool:
    """Return whether a price is one of all, and the part asked one of those who are counted.

    The price of any one thing is divided only where just that is shared: "a pizza" and "share it".
    """
    if "{people}" not in formula or "{total}" not in formula:
        return True
    thing, head = named.get("thing", ""), named.get("head", named.get("kopf", ""))
    said_after = itertools.dropwhile(lambda name: name != "thing", named)  # in their order
    is_shared = not {"shared", "dealt"}.isdisjoint(said_after)
    if is_paid_by_each(thing) or (is_one_of_many(thing) and not is_shared):
        return False
    return not head or is_counted_in(head, named.get("who", ""))


def _is_asked_back(named: Mapping[str, str]) -> bool:
    """Return whether a price before its change may be asked, or is one after it already."""
    is_earlier = _EARLIER.search(named.get("item", ""))
    return bool(is_earlier or _LATER.search(named.get("thing", "")))
