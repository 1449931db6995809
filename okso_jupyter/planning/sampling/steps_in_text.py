"""Finds the steps of a plan in a model's text, in whatever form it is, and says what was mended.

The forms: a bare array, an object with "steps" or "plan", one step alone; with prose or a code
fence around it; with other names for tool, arguments and the only text of a tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from okso_jupyter.errors import PlanError

_KEYS: Final = ("steps", "plan")
_DECODER: Final = json.JSONDecoder()
_NO_JSON: Final = object()
_FENCE: Final = re.compile(r"(?s)\A\s*```[^\n]*\n(.*)\n\s*```\s*\Z")
#: Names that models use for those of a step, in order of preference.
_OTHER_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "tool": ("name", "tool_name"),
    "args": ("arguments", "parameters"),
}
#: okso's older names of a tool's only text argument.
_OLD_INPUT_KEYS: Final = ("code", "snippet", "text")


@dataclass(frozen=True, slots=True)
class StepsInText:
    """The steps that a text holds.

    Attributes:
        steps: The steps as the model wrote them.
        mended: What is not as it was asked for, in words.
    """

    steps: Sequence[Any]
    mended: tuple[str, ...] = ()


def steps_in_text(text: str) -> StepsInText:
    """Return the steps that a text holds.

    Raises:
        PlanError: It holds no JSON, or none with a list of steps.
    """
    fenced = _FENCE.match(text)
    inside = fenced.group(1) if fenced else text
    whole = _decoded(inside.strip())
    mended = ["a code fence around the plan"] if fenced else []
    found = whole if isinstance(whole, list) and whole else _listed(whole)
    if found is None:
        found = next(_embedded(inside), None)
        mended.append("words around the plan")
    if not found:
        has_json = whole is not _NO_JSON or any(True for _ in _values(inside))
        msg = f"the completion holds no {'list of steps' if has_json else 'JSON'}"
        raise PlanError(msg, rule="no_plan" if has_json else "no_json")
    if isinstance(found, Mapping):
        found, mended = [found], [*mended, "a step outside a list"]
    return StepsInText(found, tuple(mended))


def _listed(value: object) -> Any:  # noqa: ANN401  a JSON value
    """Return the list of steps of an object, or a step that is alone; None for other values."""
    if not isinstance(value, Mapping):
        return None
    for key in _KEYS:
        inner = value.get(key)
        if isinstance(inner, Mapping):
            return _listed(inner)
        if isinstance(inner, list):
            return inner
    return value if _is_step(value) else None


def _embedded(text: str) -> Iterator[list[Any]]:
    """Yield the lists of steps inside a text; a lone step may be what is left of a cut-off list."""
    for value in _values(text):
        found = value if isinstance(value, list) else _listed(value)
        if isinstance(found, list) and found and all(map(_is_step, found)):
            yield found


def _is_step(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(_under(value, "tool")[1], str)


def _values(text: str) -> Iterator[Any]:
    """Yield the JSON arrays and objects inside a text, outer ones first."""
    for start in (place for place, char in enumerate(text) if char in "[{"):
        try:
            yield _DECODER.raw_decode(text, start)[0]
        except ValueError:
            continue
        except RecursionError:  # very deep nesting; each bracket inside would be read as slowly
            return


def _decoded(text: str) -> Any:  # noqa: ANN401  a JSON value
    """Return the whole text as JSON, or `_NO_JSON`."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _NO_JSON


def with_known_names(step: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a step with the names of its fields, and what was mended."""
    known, mended = dict(step), []
    for name in _OTHER_NAMES:
        other, value = _under(step, name)
        if other and other != name:
            del known[other]
            known[name] = value
            mended.append(f"{other!r} for {name!r}")
    if isinstance(known.get("args"), str) and isinstance(inner := _decoded(known["args"]), dict):
        known["args"] = inner
        mended.append("arguments as a text")
    return known, mended


def _under(step: Mapping[str, Any], name: str) -> tuple[str, Any]:
    """Return the name under which a step has a field, and its value; "" if it has none."""
    found = next((key for key in (name, *_OTHER_NAMES.get(name, ())) if key in step), "")
    return found, step.get(found)


def with_input(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with okso's older names of `input` replaced."""
    key = old_input_key(args)
    return {("input" if name == key else name): value for name, value in args.items()}


def old_input_key(args: Mapping[str, Any]) -> str:
    """Return the older name under which arguments have `input`; "" if they do not."""
    return next((key for key in _OLD_INPUT_KEYS if key in args and "input" not in args), "")
