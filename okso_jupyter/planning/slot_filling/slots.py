"""Slot: a tool's parameter to be filled, with the words of its name and its kind of value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from okso_jupyter.planning.request.wording import stem
from okso_jupyter.toolkit.tool import Tool

#: Weights of a word of a parameter's name, and of one of its description.
_NAME_WEIGHT: Final = 3.0
_DESCRIPTION_WEIGHT: Final = 1.0

#: Words that do not say what a parameter is about.
HOLLOW: Final = frozenset(
    "a about all also an and any are as at be by can could default do does e.g eg etc every for "
    "from g give given has have how i i.e if in into is it its list may me much must my number of "
    "on one optional or our parameter please required say should show some specific specified "
    "specify string tell than that the their them then there these they this those to two type "
    "until used using value values was we were what when where whether which who will with would "
    "you your".split()
)
#: Words of parameters that are places.
PLACES: Final = frozenset(
    "location city place country state area region address destination origin where county "
    "province town venue loc".split()
)
#: Words of parameters in pairs, such as origin and destination: first, then second.
FIRST_OF_PAIR: Final = frozenset(
    "from source origin departure start pickup base old 1 a first one".split()
)
SECOND_OF_PAIR: Final = frozenset(
    "to target dest destination arrival end dropoff new 2 b second two".split()
)
#: Words of parameters that are texts rather than names.
PROSE: Final = frozenset(
    "query text message content description comment question prompt note body sentence "
    "statement review expression keywords keyword details request command".split()
)
_ASIDE: Final = re.compile(
    r"(?i)\(?\b(?:e\.g\.|i\.e\.|for example|for instance|such as|default)[^)]*\)?"
)


def words_of(name: str) -> list[str]:
    """Return the words of an identifier in lower case: "num_tickets2" is num, tickets, 2."""
    return [
        word.lower()
        for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", name)
    ]


@dataclass(frozen=True)
class Slot:
    """One parameter.

    Attributes:
        name: Its name.
        schema: Its JSON Schema.
        required: Whether a call must have it.
    """

    name: str
    schema: Mapping[str, Any]
    required: bool

    @property
    def type(self) -> str:
        """JSON Schema type; empty if any is allowed."""
        kind = self.schema.get("type", "")
        return next((k for k in kind if k != "null"), "") if isinstance(kind, list) else str(kind)

    @property
    def description(self) -> str:
        """Its description; empty if there is none."""
        return str(self.schema.get("description") or "")

    @property
    def is_number(self) -> bool:
        """Whether it takes one number that is not restricted by an enumeration."""
        return self.type in ("integer", "number") and "enum" not in self.schema

    def takes(self, *types: str) -> bool:
        """Return whether it takes a list of items of one of these types; "" is an untyped item."""
        items = self.schema.get("items") or {}
        return self.type == "array" and items.get("type", "") in types

    @cached_property
    def name_words(self) -> tuple[str, ...]:
        """The meaningful words of its name; all words if none is."""
        words = words_of(self.name)
        return tuple(word for word in words if word not in HOLLOW) or tuple(words)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Weight of each stem that in a request refers to this parameter."""
        weights: dict[str, float] = {}
        for word in self.name_words:
            weights[stem(word)] = _NAME_WEIGHT
        for word in re.findall(r"[^\W\d_]+", _ASIDE.sub(" ", self.description).lower()):
            if word not in HOLLOW:
                weights.setdefault(stem(word), _DESCRIPTION_WEIGHT)
        return weights

    def says(self, *words: str) -> bool:
        """Return whether name or description has one of these words."""
        own = {*words_of(self.name), *re.findall(r"[a-z]+", self.description.lower())}
        return not own.isdisjoint(words)

    def named(self, *words: str) -> bool:
        """Return whether the name has one of these words."""
        return not {*words_of(self.name)}.isdisjoint(words)


def parameters_of(tool: Tool) -> dict[str, Any]:
    """Return a tool's arguments as a self-contained object schema."""
    return {
        "type": "object",
        "properties": dict(tool.properties),
        "required": sorted(tool.required),
    }


def slots_of(parameters: Mapping[str, Any]) -> tuple[Slot, ...]:
    """Return the parameters of an object schema in schema order."""
    required = frozenset(parameters.get("required") or ())
    properties: Mapping[str, Any] = parameters.get("properties") or {}
    return tuple(Slot(name, part, name in required) for name, part in properties.items())
