"""What an ideal model would write: the accepted calls, within the schema that it is sent.

It knows the right answer and nothing of how plans are asked for, beyond that a step names a tool
and its arguments. What the schema forbids it cannot write: then the schema is at fault, and the
place is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, Final

from jsonschema import Draft202012Validator

from benchmarks.quality.cases import Case
from benchmarks.quality.checker import Accepted, Call, call_is

#: What a step calls its tool and its arguments: in plans, and in a list of function calls.
_STEPS: Final = (("tool", "args"), ("name", "arguments"))
_FINAL_TOOL: Final = "final_answer"
#: Ways to write an object whose parts may be written in several ways.
_MOST_WAYS: Final = 64
#: One of these will do where a text is wanted that is no part of a call.
_TEXTS: Final = ("do what was asked for", "do it", "text", "", "2024-01-31", "1")

Schema = Mapping[str, Any]


class ForbiddenError(Exception):
    """The schema allows no right answer; the message names what it forbids."""


@dataclass(frozen=True, slots=True)
class Ideal:
    """The ideal model, asked with one schema.

    Attributes:
        schema: What the answer must obey.
    """

    schema: Schema

    def answer(self, case: Case) -> Any:  # noqa: ANN401  JSON
        """Return the right answer for a case.

        Raises:
            ForbiddenError: The schema allows none.
        """
        reasons: dict[str, None] = {}
        for shape in self._branches(self.schema):
            # servers are asked for an object, whose only property is the list
            inside = shape.get("properties", {}).get("steps")
            listed = inside or shape
            if listed.get("type") != "array":
                continue
            try:
                steps = self._filled(listed, case)
            except ForbiddenError as forbidden:
                reasons[str(forbidden)] = None
            else:
                return {"steps": steps} if inside else steps
        # the shape that comes nearest is the one that names an argument, not a number of steps
        raise ForbiddenError(
            max(reasons, key=lambda text: not text.startswith("steps"), default="no list")
        )

    def anything(self) -> Any:  # noqa: ANN401  JSON
        """Return some answer that the schema allows."""
        return self._any(self.schema)

    def _filled(self, listed: Schema, case: Case) -> list[Any]:
        """Return a list of this shape that holds the right steps."""
        count = 1 if case.wanted == "some" else len(case.accepted)
        last = self._final(listed, count)
        places = [self._place(listed, place) for place in range(count)]
        least, most = listed.get("minItems", 0), listed.get("maxItems", count + 1)
        if not least <= count + len(last) <= most or None in places:
            msg = f"steps: {count + len(last)} of them"
            raise ForbiddenError(msg)
        if case.wanted == "some":
            return [self._some(part, case) for part in places if part is not None] + last
        return self._assigned([part for part in places if part is not None], case.accepted) + last

    def _final(self, listed: Schema, count: int) -> list[Any]:
        """Return the step that ends a plan, where the list has one."""
        first: Sequence[Schema] = listed.get("prefixItems", ())
        part = first[-1] if first else self._place(listed, count) or {}
        for branch in self._branches(part):
            names = _names(branch)
            if names and self._allows(branch["properties"][names[0]], _FINAL_TOOL):
                return [{names[0]: _FINAL_TOOL, names[1]: {}}]
        return []

    def _place(self, listed: Schema, place: int) -> Schema | None:
        """Return the schema of an item; None where the list has no such place."""
        first: Sequence[Schema] = listed.get("prefixItems", ())
        if place < len(first):
            return first[place]
        others = listed.get("items", {})
        return others if isinstance(others, Mapping) else None

    def _assigned(self, places: Sequence[Schema], accepted: Sequence[Accepted]) -> list[Any]:
        """Return every place's step, so that each accepted call is made once.

        Raises:
            ForbiddenError: There is no such order; the reason is that of the first call.
        """
        if not places:
            return []
        reasons = []
        for number, wanted in enumerate(accepted):
            try:
                step = self._step(places[0], wanted)
                return [
                    step,
                    *self._assigned(places[1:], [*accepted[:number], *accepted[number + 1 :]]),
                ]
            except ForbiddenError as forbidden:
                reasons.append(str(forbidden))
        raise ForbiddenError(reasons[0])

    def _step(self, part: Schema, wanted: Accepted) -> dict[str, Any]:
        """Return the step that makes an accepted call."""
        ((name, parameters),) = wanted.items()
        reasons = [f"tool: {name} is not offered"]
        for branch in self._branches(part):
            names = _names(branch)
            spelled = names and self._spelled(branch["properties"][names[0]], name)
            if not names or not spelled:
                continue
            for args in self._branches(branch["properties"][names[1]]):
                try:
                    given = self._args(args, name, parameters)
                    return self._completed(branch, {names[0]: spelled, names[1]: given})
                except ForbiddenError as forbidden:
                    reasons.append(str(forbidden))
        raise ForbiddenError(reasons[-1])

    def _args(self, schema: Schema, name: str, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Return accepted arguments that a schema allows."""
        for known in schema.get("enum", ()):
            if call_is(Call(name, known), {name: parameters}):
                return known
        if "properties" not in schema:
            msg = f"argument: {name} only with {schema.get('enum', [])}"
            raise ForbiddenError(msg)
        given = {}
        for key, accepted in parameters.items():
            part, needed = schema["properties"].get(key), key in schema.get("required", ())
            ways = (way for value in accepted for way in _concrete(value))
            fitting = (way for way in ways if part is not None and self._allows(part, way))
            if "" in accepted and not needed:
                continue
            try:
                given[key] = next(fitting)
            except StopIteration:
                lacks = "is left out, not" if part is None else "cannot be"
                msg = f"argument: {name}.{key} {lacks} {list(accepted)!r}"
                raise ForbiddenError(msg) from None
        return given

    def _some(self, part: Schema, case: Case) -> dict[str, Any]:
        """Return a step that calls any of the tools."""
        for branch in self._branches(part):
            names = _names(branch)
            for function in case.functions:
                spelled = names and self._spelled(branch["properties"][names[0]], function["name"])
                if names and spelled:
                    args = self._any(branch["properties"][names[1]])
                    return self._completed(branch, {names[0]: spelled, names[1]: args})
        msg = "tool: none is offered"
        raise ForbiddenError(msg)

    def _completed(self, branch: Schema, step: dict[str, Any]) -> dict[str, Any]:
        """Return a step with whatever else it must have, in the order of its schema."""
        properties, required = branch["properties"], branch.get("required", ())
        whole = {
            key: step[key] if key in step else self._any(part)
            for key, part in properties.items()
            if key in step or key in required
        }
        if not self._allows(branch, whole):
            msg = f"step: {whole}"
            raise ForbiddenError(msg)
        return whole

    def _spelled(self, part: Schema, name: str) -> str:
        """Return a tool's name as it may be written, or nothing."""
        return next(
            (each for each in (name, name.replace(".", "_")) if self._allows(part, each)), ""
        )

    def _any(self, part: Schema) -> Any:  # noqa: ANN401  JSON
        """Return something that a schema allows."""
        branch = next(iter(self._branches(part)))
        if "enum" in branch:
            return branch["enum"][0]
        match branch.get("type"):
            case "object":
                wanted, parts = branch.get("required", ()), branch.get("properties", {})
                return {key: self._any(each) for key, each in parts.items() if key in wanted}
            case "array":
                return [self._any(branch.get("items", {}))] * branch.get("minItems", 0)
        ways = (branch.get("const"), *_TEXTS, branch.get("minimum"), 1, True)
        fitting = (way for way in ways if way is not None and self._allows(part, way))
        return next(fitting, None)

    def _branches(self, part: Schema) -> Iterator[Schema]:
        """Yield the alternatives of a schema, references followed."""
        if "$ref" in part:
            found: Any = self.schema
            for name in part["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            yield from self._branches(found)
        elif "anyOf" in part:
            for each in part["anyOf"]:
                yield from self._branches(each)
        else:
            yield part

    def _allows(self, part: Schema, value: Any) -> bool:  # noqa: ANN401  JSON
        """Say whether a part of the schema allows a value."""
        return Draft202012Validator({**part, "$defs": self.schema.get("$defs", {})}).is_valid(value)


def _names(branch: Schema) -> tuple[str, str] | None:
    """Return what a step calls tool and arguments; None where the branch is no step."""
    properties = branch.get("properties", {})
    return next((pair for pair in _STEPS if set(pair) <= set(properties)), None)


def _concrete(accepted: Any) -> Iterator[Any]:  # noqa: ANN401  JSON
    """Yield values that an accepted value stands for: objects list several for each key."""
    if isinstance(accepted, Mapping):
        ways = [_ways(key, value) for key, value in accepted.items()]
        for chosen in islice(product(*ways), _MOST_WAYS):
            yield dict(pair for pair in chosen if pair is not None)
    elif isinstance(accepted, list):
        for items in islice(product(*(list(_concrete(item)) for item in accepted)), _MOST_WAYS):
            yield list(items)
    else:
        yield accepted


def _ways(key: str, values: Any) -> list[tuple[str, Any] | None]:  # noqa: ANN401  JSON
    """Return the ways to write one key of an object; None leaves it out."""
    listed = values if isinstance(values, list) else [values]
    found = [(key, way) for value in listed if value != "" for way in _concrete(value)]
    return [*found, *([None] if "" in listed else [])]
