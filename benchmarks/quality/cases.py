"""Cases of the Berkeley Function-Calling data, and their tools as this project declares tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from okso_jupyter import Tool

#: Types as the data spells them; "any" becomes no type at all.
_TYPES: Final = {"dict": "object", "float": "number", "tuple": "array"}
_ANY: Final = "any"

#: Categories whose cases have no accepted calls, and what is right there.
_WITHOUT_CALLS: Final[Mapping[str, Wanted]] = {"irrelevance": "none", "live_relevance": "some"}

Wanted = Literal["these", "none", "some"]
T = TypeVar("T")


class CasesError(Exception):
    """There are no cases to be had; the message says what is missing where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One request with the tools on offer, and what is right.

    Attributes:
        name: Its id in the data.
        category: Name of its file, without the suffix.
        messages: The conversation, "role" and "content" each.
        functions: The tools on offer: "name", "description" and "parameters", a JSON Schema.
        wanted: Whether the accepted calls are right, no call, or any call.
        accepted: One object per call: function name -> parameter -> accepted values.
    """

    name: str
    category: str
    messages: Sequence[Mapping[str, str]]
    functions: Sequence[Mapping[str, Any]]
    wanted: Wanted
    accepted: Sequence[Mapping[str, Mapping[str, Sequence[Any]]]]

    @property
    def request(self) -> str:
        """The last message of the user; system messages stand before it, a blank line apart.

        A planner takes one request and no conversation.
        """
        users = [place for place, turn in enumerate(self.messages) if turn["role"] == "user"]
        earlier = self.messages[: users[-1]]
        told = [turn["content"] for turn in earlier if turn["role"] == "system"]
        return "\n\n".join([*told, self.messages[users[-1]]["content"]])

    def tools(self) -> list[Tool]:
        """Return the functions as tools that do nothing, since no plan is run."""
        return [
            Tool.from_schema(
                function["name"], function["description"], function["parameters"], str,
                effect="none",
            )
            for function in self.functions
        ]  # fmt: skip


def categories(folder: Path) -> list[str]:
    """Return the categories that a folder has cases of.

    Raises:
        CasesError: There is no such folder, or no case in it.
    """
    found = sorted(file.stem for file in folder.glob("*.jsonl"))
    if not found:
        msg = (
            f"{folder} holds no cases (files such as simple_python.jsonl): name the folder of the "
            "Berkeley Function-Calling data with --cases"
        )
        raise CasesError(msg)
    return found


def load(folder: Path, category: str, limit: int | None = None) -> list[Case]:
    """Return cases of a category, spread evenly over it.

    Args:
        folder: Where the data is.
        category: Such as "simple_python".
        limit: How many; a larger limit gives the same cases and more. None gives all.

    Raises:
        CasesError: There is no such file, or a line of it is no case.
    """
    file = folder / f"{category}.jsonl"
    try:
        lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
        found = [_case(category, json.loads(line)) for line in spread(lines)[:limit]]
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        msg = f"{file} cannot be read as cases: {type(error).__name__}: {error}"
        raise CasesError(msg) from error
    return found


def spread(items: Sequence[T]) -> list[T]:
    """Return items in an order of which every beginning is spread evenly over them.

    The order is that of the reversed bits of their places (van der Corput's sequence): first,
    middle, quarters, eighths. So a small share is a sample of the whole, and part of every larger
    one.
    """
    bits = max(len(items) - 1, 1).bit_length()
    places = sorted(range(len(items)), key=lambda place: f"{place:0{bits}b}"[::-1])
    return [items[place] for place in places]


def json_schema(data: Any) -> Any:  # noqa: ANN401  JSON
    """Return a schema in the data's own dialect as a JSON Schema.

    Beside other names of types, a few of its enumerations list what the type forbids: texts of
    numbers for a number, items for a list. Those are read as they are meant.
    """
    if isinstance(data, list):
        return [json_schema(item) for item in data]
    if not isinstance(data, dict):
        return data
    schema = {key: json_schema(value) for key, value in data.items()}
    kind = schema.get("type")
    if kind == _ANY:
        del schema["type"]
    elif isinstance(kind, str):
        schema["type"] = _TYPES.get(kind, kind)
        if isinstance(schema.get("enum"), list):
            _mend_enumeration(schema)
    return schema


def _mend_enumeration(schema: dict[str, Any]) -> None:
    """Make the values of an enumeration ones of the declared type."""
    values = schema["enum"]
    if schema["type"] == "array" and not any(isinstance(value, list) for value in values):
        schema["items"] = {**schema.get("items", {}), "enum": schema.pop("enum")}
    elif schema["type"] in _READ:
        read = (_READ[schema["type"]](value) for value in values)
        schema["enum"] = [value for value in read if value is not None]


def _as_integer(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isdecimal() else _unless_text(value)


def _as_boolean(value: object) -> object:
    return {"True": True, "False": False}.get(str(value), _unless_text(value))


def _unless_text(value: object) -> object:
    return None if isinstance(value, str) else value


#: Readers of enumerated values by type; what they cannot read is None.
_READ: Final = {"integer": _as_integer, "boolean": _as_boolean}


def _case(category: str, data: Mapping[str, Any]) -> Case:
    """Return one line of the data as a case."""
    wanted: Wanted = _WITHOUT_CALLS.get(category, "these")
    return Case(
        name=data["id"],
        category=category,
        messages=data["question"][0],
        functions=[_function(function) for function in data["function"]],
        wanted=wanted,
        accepted=list(_calls(data)) if wanted == "these" else (),
    )


def _calls(data: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return the accepted calls of a case that must have some."""
    calls: Sequence[Mapping[str, Any]] = data["accepted"]
    return calls


def _function(data: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": data["name"],
        "description": data["description"],
        "parameters": json_schema(data["parameters"]),
    }
