"""A parameter of a tool as a slot to be filled: its words, and what kind of value it wants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from okso_jupyter.planning.request.wording import stem
from okso_jupyter.toolkit.tool import Tool

#: A word of a parameter's name says more about it than one of its description.
_NAME_WEIGHT: Final = 3.0
_KIN_WEIGHT: Final = 1.5
_DESCRIPTION_WEIGHT: Final = 1.0

#: Words that say nothing of what a parameter is about.
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
#: Words of parameters that come in pairs, of what is from one to another.
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

#: Words for one thing, the units that it comes in among them: neighbours of a value that name it.
_KIN: Final[Mapping[str, str]] = {
    "acceleration": "accelerates",
    "adults": "adult people",
    "age": "old years",
    "amount": "dollars euros pounds usd invest",
    "budget": "price cost dollars under",
    "capital": "invest",
    "cost": "price dollars",
    "count": "top first",
    "days": "day week",
    "distance": "km kilometers miles meters m away",
    "duration": "days hours minutes seconds nights years months for",
    "end": "to until",
    "energy": "joules",
    "force": "newtons",
    "frequency": "hz hertz",
    "guests": "people persons guests",
    "height": "tall high cm feet meters m dropped",
    "hours": "hour",
    "interest": "rate",
    "investment": "invest invested",
    "length": "long meters m cm feet",
    "limit": "top first most",
    "mass": "kg kilograms grams g",
    "max": "under below most less than up maximum",
    "maximum": "under below most less than up max",
    "min": "over above least more than minimum",
    "minimum": "over above least more than min",
    "minutes": "minute",
    "months": "month",
    "party": "people guests",
    "passengers": "people passengers",
    "people": "guests persons adults",
    "period": "years months",
    "pressure": "pascals atm bar atmosphere",
    "price": "dollars cost usd",
    "principal": "invest investment deposit initial amount dollars",
    "radius": "within",
    "rate": "interest percent growth",
    "return": "rate percent",
    "rooms": "bedrooms",
    "seats": "people seats tickets",
    "size": "people",
    "speed": "mph kmh",
    "start": "from",
    "stars": "star rating",
    "temp": "degrees celsius fahrenheit kelvin c f k",
    "temperature": "degrees celsius fahrenheit kelvin c f k",
    "time": "seconds s hours minutes years",
    "velocity": "speed",
    "volume": "liters",
    "weight": "kg pounds lbs kilograms",
    "width": "wide",
    "years": "year",
}


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
        """JSON Schema type; empty where any will do."""
        kind = self.schema.get("type", "")
        return next((k for k in kind if k != "null"), "") if isinstance(kind, list) else str(kind)

    @property
    def description(self) -> str:
        """What its author says of it."""
        return str(self.schema.get("description") or "")

    @property
    def is_number(self) -> bool:
        """Whether it takes one number, and not one of a few."""
        return self.type in ("integer", "number") and "enum" not in self.schema

    def takes(self, *types: str) -> bool:
        """Return whether it takes a list of items of one of these types; "" is any."""
        items = self.schema.get("items") or {}
        return self.type == "array" and items.get("type", "") in types

    @cached_property
    def name_words(self) -> tuple[str, ...]:
        """The words of its name that say something; all of them where none does."""
        words = words_of(self.name)
        return tuple(word for word in words if word not in HOLLOW) or tuple(words)

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """How much a stem in a request speaks of this parameter."""
        weights: dict[str, float] = {}
        for word in self.name_words:
            weights[stem(word)] = _NAME_WEIGHT
        for word in self.name_words:
            for kin in _KIN.get(word, "").split():
                weights.setdefault(stem(kin), _KIN_WEIGHT)
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
    """Return a tool's arguments as an object schema in which nothing refers to elsewhere."""
    return {
        "type": "object",
        "properties": dict(tool.properties),
        "required": sorted(tool.required),
    }


def slots_of(parameters: Mapping[str, Any]) -> tuple[Slot, ...]:
    """Return the parameters of an object schema, in their own order."""
    required = frozenset(parameters.get("required") or ())
    properties: Mapping[str, Any] = parameters.get("properties") or {}
    return tuple(Slot(name, part, name in required) for name, part in properties.items())
