"""Argument schema of a call, with every parameter narrowed to values in the request.

A parameter for which the request has a clear cue gets those values, often a single one; otherwise
the model chooses among the values that the request mentions. An optional parameter without any
evidence is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.planning.request.wording import stem
from okso_jupyter.planning.slot_filling import quantities
from okso_jupyter.planning.slot_filling.choices import said
from okso_jupyter.planning.slot_filling.cues import signed
from okso_jupyter.planning.slot_filling.lists import lists
from okso_jupyter.planning.slot_filling.mentions import Mention, Reading, read
from okso_jupyter.planning.slot_filling.phrases import beside, options
from okso_jupyter.planning.slot_filling.slots import HOLLOW, Slot, slots_of, words_of

Schema = Mapping[str, Any]

_MAX_TEXT: Final = 60
_MAX_ITEMS: Final = 4
#: An option of an enumeration counts as meant if the request has this share of its words.
_SAID_SHARE: Final = 0.5
_NEGATED: Final = re.compile(
    r"(?i)\b(?:no(?!\.?\s*\d)|not|without|don't|doesn't|excluding|exclude|except)\b"
)
#: Number of words before a word within which a negation applies to it.
_REACH: Final = 5
#: Words of a flag's name that do not say what it switches.
_FLAG_WORDS: Final = frozenset(
    "include is has get show return use need needed required flag only enable with want "
    "allow".split()
)
#: A description that asks for a town together with its state or country.
_TOWN_AND_STATE: Final = re.compile(
    r"(?i)\bcity,? (?:and|&) (?:state|country)|\bcity, ?(?:state|country)|"
    r"(?-i:[A-Z][a-z]+, [A-Z]{2}\b)"
)
#: Keywords of a number's schema.
_BOUNDS: Final = frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split())
#: Keywords of a text's schema that an appended state could violate.
_TEXT_RULES: Final = frozenset("pattern format minLength maxLength".split())
_CODED: Final = re.compile(
    r"['\"]?(-?\d+)['\"]?\s*(?:represents?|for|corresponds? to|means|is|=|:|-)\s*(?:an? |the )?"
    r"['\"]?([A-Za-z][A-Za-z ]+?)['\"]?(?=[,;.)]|$| and\b| or\b)"
)


@dataclass(slots=True)
class Grounding:
    """Narrows the arguments of one call to the values in a request.

    Attributes:
        reading: The request, or the part of it that the call is for.
        whole: The whole request if the reading is a part: it provides required values that the
            part lacks.
        numbers: The numbers assigned to parameters, by parameter name.
        runs: Rows of numbers not yet assigned to a parameter.
        taken: Texts assigned to parameters by a cue.
        open: Number of required text parameters without a cue.
    """

    reading: Reading
    whole: str = ""
    numbers: Mapping[str, Mention] = field(default_factory=dict)
    runs: list[tuple[Mention, ...]] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    open: int = 0

    @property
    def _around(self) -> Reading | None:
        """The whole request if the reading is only a part of it, else None."""
        around = read(self.whole)
        return around if self.whole and around != self.reading else None

    def arguments(self, parameters: Schema) -> dict[str, Any]:
        """Return the schema of the arguments, for an object schema of parameters."""
        slots = slots_of(parameters)
        self.runs = (
            list(self.reading.runs) if any(s.takes("integer", "number") for s in slots) else []
        )
        kept = [number for run in self.runs for number in run]
        takers = [slot for slot in slots if slot.is_number]
        self.numbers = quantities.assign(self.reading, takers, kept)
        unsaid = [s for s in takers if s.required and s.name not in self.numbers]
        if self._around and unsaid:
            self.numbers = {**quantities.assign(self._around, unsaid), **self.numbers}
        signs = {slot.name: self._signed(slot) for slot in slots}
        needed = [value for slot in slots if slot.required for value in signs[slot.name]]
        for slot in slots:  # required parameters take precedence over optional ones
            if not slot.required:
                signs[slot.name] = [v for v in signs[slot.name] if v not in needed]
        self.taken = [value for values in signs.values() for value in values]
        self.open = sum(
            slot.required and not signs[slot.name]
            for slot in slots
            if slot.type in ("string", "") and "enum" not in slot.schema
        )
        properties = {}
        for slot in slots:
            schema = self._value(slot, signs[slot.name])
            allowed = _allowed(slot, schema) if schema is not None else None
            if allowed is not None:
                properties[slot.name] = allowed
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def _signed(self, slot: Slot) -> list[str]:
        plain = slot.type in ("string", "") and "enum" not in slot.schema
        if not plain:
            return []
        listed = list(dict.fromkeys(str(value.value) for value in said(self.reading, slot)))
        if listed:
            return listed
        signs = signed(self.reading, slot)
        if not signs and self._around and slot.required:
            return signed(self._around, slot)
        return signs

    def _value(self, slot: Slot, signs: Sequence[str]) -> dict[str, Any] | None:
        """Return the schema of one argument, or None if it is left out."""
        if "const" in slot.schema:
            return {"const": slot.schema["const"]}
        if "enum" in slot.schema:
            return self._enumerated(slot)
        by_type = {
            "boolean": self._flag,
            "integer": self._number,
            "number": self._number,
            "array": self._array,
            "object": self._object,
        }
        if slot.type in by_type:
            return by_type[slot.type](slot)
        return self._text(slot, signs)

    def _enumerated(self, slot: Slot) -> dict[str, Any] | None:
        meant = self._said(slot, slot.schema["enum"])
        if meant:
            return {"enum": meant}
        if not slot.required:
            return None
        return self._default(slot) or {"enum": list(slot.schema["enum"])}

    def _said(self, slot: Slot, values: Sequence[Any]) -> list[Any]:
        """Return the values of an enumeration that best match the request; none if none does."""
        number = self.numbers.get(slot.name)
        if number is not None and number.value in values:
            return [number.value]
        common = _common_words(values)
        shares = {place: self._share(value, common) for place, value in enumerate(values)}
        best = max(shares.values(), default=0.0)
        if best < _SAID_SHARE:
            return []
        return [values[place] for place, share in shares.items() if share == best]

    def _share(self, value: object, common: frozenset[str] = frozenset()) -> float:
        """Return the share of a value's words that the request has, ignoring `common` words."""
        if not isinstance(value, str):
            return 0.0
        own = words_of(value)
        words = (
            [w for w in own if w not in HOLLOW | common]
            or [w for w in own if w not in HOLLOW]
            or own
        )
        return sum(self._has(word) for word in words) / len(words) if words else 0.0

    def _has(self, word: str) -> bool:
        """Return whether the request has a word, an inflected form, or one with the same start."""
        root = stem(word)
        if root in self.reading.stems:
            return True
        least = 4
        return len(word) >= least and any(
            len(other) >= least and (other.startswith(word[:5]) or word.startswith(other))
            for other in (token.text.lower() for token in self.reading.tokens)
        )

    def _flag(self, slot: Slot) -> dict[str, Any] | None:
        words = [word for word in slot.name_words if word not in _FLAG_WORDS] or [*slot.name_words]
        if sum(self._has(word) for word in words) / len(words) >= _SAID_SHARE:
            return {"const": not self._is_negated(words)}
        return (self._default(slot) or {"enum": [True, False]}) if slot.required else None

    def _is_negated(self, words: Sequence[str]) -> bool:
        """Return whether a negation such as "not" precedes one of these words closely."""
        roots = {stem(word) for word in words}
        tokens = self.reading.tokens
        places = [place for place, token in enumerate(tokens) if token.value in roots]
        return any(
            _NEGATED.search(
                self.reading.text, tokens[max(place - _REACH, 0)].start, tokens[place].start
            )
            for place in places
        )

    def _number(self, slot: Slot) -> dict[str, Any] | None:
        number = self.numbers.get(slot.name)
        coded = self._coded(slot)
        if coded is not None:
            return coded
        if number is not None:
            return {"const": quantities.as_value(slot, number)}
        if not slot.required:
            return None
        free = [n for n in self.reading.numbers if n not in self.numbers.values() and not n.inside]
        fitting = [n.value for n in free if slot.type == "number" or float(n.value).is_integer()]
        if self._default(slot):
            return self._default(slot)
        return {"enum": list(dict.fromkeys(fitting))} if fitting else _bounded(slot)

    def _coded(self, slot: Slot) -> dict[str, Any] | None:
        """Return the code that the request means, if the description lists codes (1 for ...)."""
        codes = _CODED.findall(slot.description)
        if len(codes) < 2:  # noqa: PLR2004  one could be any figure
            return None
        shares = [(self._share(meaning), int(code)) for code, meaning in codes]
        best = max(share for share, _ in shares)
        return (
            {"enum": [c for share, c in shares if share == best]} if best >= _SAID_SHARE else None
        )

    def _array(self, slot: Slot) -> dict[str, Any] | None:
        if slot.takes("integer", "number"):
            return self._row(slot)
        items = Slot(slot.name, slot.schema.get("items") or {}, slot.required)
        if "enum" in items.schema:
            return self._options(slot, items.schema["enum"])
        if not slot.required and not self._is_meant(slot):
            return None
        if items.type == "object":
            return _list_of(slot, Grounding(self.reading, self.whole).arguments(items.schema))
        if items.type not in ("string", ""):
            return _list_of(slot, items.schema)
        return self._texts(slot)

    def _options(self, slot: Slot, options: Sequence[Any]) -> dict[str, Any] | None:
        """Return the schema of several values of an enumeration."""
        common = _common_words(options)
        meant = [value for value in options if self._share(value, common) >= _SAID_SHARE]
        if meant:
            return {"const": meant}
        return _list_of(slot, {"enum": list(options)}) if slot.required else None

    def _texts(self, slot: Slot) -> dict[str, Any]:
        """Return the schema of a list of texts: the request's only list, or one phrase."""
        found = lists(self.reading)
        if len(found) == 1:
            return {"const": list(found[0])}
        offered = options(self.reading, slot, self.taken)
        if offered:
            return {"enum": [[value] for value in offered]}
        return _list_of(slot, {"type": "string", "maxLength": _MAX_TEXT})

    def _row(self, slot: Slot) -> dict[str, Any] | None:
        """Return the schema of a row of numbers: the run nearest to the parameter's words."""
        if self.runs:
            others = self.reading.numbers
            nearest = max(
                self.runs,
                key=lambda run: (
                    quantities.nearness(self.reading, slot, run[0], others)
                    - self.runs.index(run) * 0.1
                ),
            )
            self.runs.remove(nearest)
            return {"const": [quantities.as_value(slot, number) for number in nearest]}
        if not slot.required:
            return None
        rest = [n.value for n in self.reading.numbers if not n.inside]
        return {"const": rest} if rest else _list_of(slot, {"type": slot.schema["items"]["type"]})

    def _object(self, slot: Slot) -> dict[str, Any] | None:
        if not slot.required and not self._is_meant(slot):
            return None
        if slot.schema.get("properties"):
            return Grounding(self.reading, self.whole).arguments(slot.schema)
        return {
            "type": "object",
            "additionalProperties": self._choice(slot),
            "maxProperties": _MAX_ITEMS,
        }

    def _text(self, slot: Slot, signs: Sequence[str]) -> dict[str, Any] | None:
        if signs:
            return _written(slot, signs)
        if slot.required:
            return self._choice(slot)
        kinds = beside(self.reading, slot)
        return {"enum": kinds} if kinds else None

    def _choice(self, slot: Slot) -> dict[str, Any]:
        quoted = [str(q.value) for q in self.reading.quotes if q.value not in self.taken]
        if quoted and self.open <= len(quoted):
            return {"enum": quoted}
        offered = options(self.reading, slot, self.taken)
        if not offered and self._around:
            offered = options(self._around, slot)
        return _written(slot, offered) if offered else {"type": "string", "maxLength": _MAX_TEXT}

    def _is_meant(self, slot: Slot) -> bool:
        """Return whether the request has a word of an optional parameter's name."""
        return any(self._has(word) for word in slot.name_words if word not in ("name", "id"))

    def _default(self, slot: Slot) -> dict[str, Any] | None:
        """Return the schema of a parameter's default value; None if it has none."""
        if "default" in slot.schema and slot.schema["default"] is not None:
            return {"const": slot.schema["default"]}
        return None


def _common_words(values: Sequence[Any]) -> frozenset[str]:
    """Return the words shared by more than half of an enumeration's values."""
    counts = Counter(word for value in values for word in set(words_of(str(value))))
    return frozenset(word for word, count in counts.items() if 2 * count > len(values) > 1)


def _written(slot: Slot, values: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a choice among texts.

    If the description asks for town and state, the model adds the state to a town without one.
    """
    if not _TOWN_AND_STATE.search(slot.description) or _TEXT_RULES & slot.schema.keys():
        return {"enum": list(values)}
    whole = [re.escape(value) for value in values if "," in value]
    towns = [
        rf"{re.escape(value)}, ([A-Z]{{2}}|[A-Z][a-z]{{3,12}})"
        for value in values
        if "," not in value
    ]
    return {"type": "string", "pattern": f"^({'|'.join([*whole, *towns])})$"}


def _allowed(slot: Slot, narrowed: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a narrowed schema without the values that the parameter's own schema forbids.

    If no value is left, return the own schema of a required parameter, and None for another.
    """
    if "const" not in narrowed and "enum" not in narrowed:
        return dict(narrowed)
    values = narrowed["enum"] if "enum" in narrowed else [narrowed["const"]]
    validator = assets.validator_for(dict(slot.schema))
    kept = [value for value in values if validator.is_valid(value)]
    if len(kept) == len(values):
        return dict(narrowed)
    if kept:
        return {"enum": kept}
    return dict(slot.schema) if slot.required else None


def _list_of(slot: Slot, items: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a non-empty list of such items, within the parameter's bounds."""
    least = max(slot.schema.get("minItems", 0), 1)
    most = max(min(slot.schema.get("maxItems", _MAX_ITEMS), _MAX_ITEMS), least)
    return {"type": "array", "items": dict(items), "minItems": least, "maxItems": most}


def _bounded(slot: Slot) -> dict[str, Any]:
    """Return a number's own schema; an integer without bounds gets 0 to 100."""
    own = {key: part for key, part in slot.schema.items() if key in _BOUNDS}
    if slot.type == "integer" and not own:
        own = {"minimum": 0, "maximum": 100}
    return {"type": slot.type, **own}
