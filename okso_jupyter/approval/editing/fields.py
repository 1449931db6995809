"""Conversion of step arguments to form fields, and of field texts back to arguments.

A field whose text equals the shown text was not edited: its argument stays exactly what it was,
even where the shown text was redacted or escaped.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from okso_jupyter.approval.editing.offered_choices import (
    ColumnsOf,
    fits,
    offering_columns,
    parts_of,
)
from okso_jupyter.approval.form.model import Field, Kind
from okso_jupyter.errors import ToolInputError
from okso_jupyter.legible import sentence, visible
from okso_jupyter.plan.plan import Step
from okso_jupyter.redaction.redactor import REDACTED
from okso_jupyter.toolkit.schema_types import NUMBERS, types_of
from okso_jupyter.toolkit.schema_violations import Violation
from okso_jupyter.toolkit.tool import Tool
from okso_jupyter.views.call_sentence import call_sentence

_MARK: Final = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+|[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_BOOLEANS: Final = {"true": True, "false": False}
#: Longer numbers are refused.
_MAX_DIGITS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """One step as edited in the form.

    Attributes:
        step: The step; arguments that cannot be parsed keep their proposed values.
        fields: Its arguments, with their errors.
        error: Error of the arguments as a whole.
    """

    step: Step
    fields: tuple[Field, ...]
    error: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the step can run as it is."""
        return not self.error and not any(one.error for one in self.fields)

    @property
    def without_errors(self) -> Edited:
        """A copy without error messages."""
        return replace(self, fields=tuple(replace(one, error="") for one in self.fields), error="")


def edited(
    step: Step,
    tool: Tool,
    texts: Mapping[str, str],
    columns_of: ColumnsOf = lambda _args: (),
) -> Edited:
    """Return a step with its field texts parsed.

    Args:
        step: The step as it was proposed.
        tool: Its tool.
        texts: Texts by argument name; a missing one was not edited.
        columns_of: Returns the columns of a table, which are offered where a column is named.
    """
    args = dict(step.args)
    fields = []
    schemas = offering_columns(tool.properties, {**args, **texts}, columns_of)
    for one in (_field(step, tool, name, schemas.get(name, {})) for name in names_of(step, tool)):
        text = texts.get(one.name, one.text)
        fields.append(replace(one, text=text))
        if text == one.text:
            continue
        fields[-1] = replace(fields[-1], was=one.text)
        try:
            _set(args, fields[-1], step, tool, schemas.get(one.name, {}))
        except ToolInputError as error:
            fields[-1] = replace(fields[-1], error=error.message)
    meant = [name for name in args if args[name] == "" and name not in step.open_args]
    literal = tuple(dict.fromkeys([*step.literal, *meant]))
    newer = _renamed(step, args, literal) if args != step.args else step
    return _checked(Edited(step=newer, fields=tuple(fields)), tool, is_new=newer is not step)


def _renamed(step: Step, args: Mapping[str, Any], literal: tuple[str, ...]) -> Step:
    """Return a step with other arguments; a title is made anew, since it told of the old ones."""
    newer = replace(step, args=args, literal=literal)
    return replace(newer, title=call_sentence(newer)) if step.title else newer


def _checked(read: Edited, tool: Tool, *, is_new: bool) -> Edited:
    """Return a step with the violations of its tool's schema as errors."""
    step = read.step
    if not read.is_good:
        return read
    # a proposed step may be incomplete, which its call reports; an edited one must be complete
    faults = tool.faults_of(step.args, lenient=bool(step.open_args) or not is_new)
    said = {_place(fault): sentence(fault.message) for fault in reversed(faults)}
    fields = tuple(
        replace(one, is_open=one.name in step.open_args, error=said.pop(one.name, ""))
        for one in read.fields
    )
    return replace(read, fields=fields, error=next(iter(said.values()), ""))


def _place(fault: Violation) -> str:
    """Return the argument that a violation is shown at; empty for the step as a whole."""
    return fault.argument or next(iter(fault.missing), "")


def names_of(step: Step, tool: Tool) -> list[str]:
    """Return the arguments of a step, followed by the other arguments its tool accepts."""
    return list(dict.fromkeys([*step.args, *tool.properties]))


def _field(step: Step, tool: Tool, name: str, part: Mapping[str, Any]) -> Field:
    """Return the field of an argument with its proposed value; `part` is its schema."""
    kind = _kind(step, name, part)
    offered = part.get("x-choices", part.get("enum", ()))
    values = [v for v in part.get("enum", ()) if v in offered or v == step.args.get(name)]
    choices = tuple(map(_plain, values)) if kind == "choice" else ()
    return Field(
        name=name,
        kind=kind,
        text=visible(_raw(step, name, kind)),
        choices=choices,
        parts=parts_of(part) if kind == "rows" else (),
        is_required=name in tool.required,
        is_open=name in step.open_args,
        description=str(part.get("description", "")),
    )


def _kind(step: Step, name: str, part: Mapping[str, Any]) -> Kind:
    """Return the field kind of an argument: from its schema, unless its value does not fit that."""
    types = types_of(part)
    value = step.args.get(name)
    is_open = name not in step.args or name in step.open_args
    if "enum" in part and (is_open or not isinstance(value, list | dict)):
        return "choice"
    parts = parts_of(part) if types == {"array"} else ()
    if parts and (name not in step.args or (not is_open and fits(value, parts))):
        return "rows"
    # a string that the schema does not allow is corrected in a field of the schema's type
    is_open = is_open or (isinstance(value, str) and bool(types) and "string" not in types)
    if (not types or "string" in types) if is_open else isinstance(value, str):
        return "text"
    if types == {"boolean"} and (is_open or isinstance(value, bool)):
        return "boolean"
    if types and types <= NUMBERS and (is_open or type(value) in {int, float}):
        return "number"
    return "json"


def _raw(step: Step, name: str, kind: Kind) -> str:
    """Return the text of an argument, neither redacted nor escaped."""
    if name not in step.args or name in step.open_args:
        return ""
    value = step.args[name]
    if kind in {"text", "choice"} or (isinstance(value, str) and kind != "json"):
        return _plain(value)
    return json.dumps(value, ensure_ascii=False, indent=None if kind == "number" else 2)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _set(args: dict[str, Any], one: Field, step: Step, tool: Tool, part: Mapping[str, Any]) -> None:
    """Store the value of an edited field in `args`, or remove it if the field is empty.

    Raises:
        ToolInputError: The text cannot be parsed, or a required argument is empty.
    """
    name = one.name
    if one.text or name in step.literal or tool.means_empty(name, ""):
        args[name] = _read(one, _raw(step, name, one.kind), part)
    elif one.is_required:
        msg = f"{tool.name} needs it"
        raise ToolInputError(msg)
    else:
        args.pop(name, None)


def _read(one: Field, before: str, part: Mapping[str, Any]) -> Any:  # noqa: ANN401  JSON
    """Return the value of an edited field.

    Args:
        one: The field.
        before: Its unredacted text before the edit.
        part: Schema of the argument.

    Raises:
        ToolInputError: The text cannot be parsed.
    """
    if REDACTED in one.text and REDACTED in visible(before):
        msg = f"it holds {REDACTED} in place of a secret: write all of it, or leave it as it was"
        raise ToolInputError(msg)
    text = _MARK.sub(lambda mark: _unmarked(mark, before), one.text)
    if one.kind == "text":
        value: Any = text
    elif one.kind == "choice":
        value = _chosen(text, part)
    elif one.kind == "number":
        value = _number(text)
    elif one.kind == "boolean":
        value = _boolean(text)
    elif one.kind == "rows":
        value = _with_numbers(_json(text), part)
    else:
        value = _json(text)
    if not _is_text(value):
        msg = "it holds characters that are not text"
        raise ToolInputError(msg)
    return value


def _unmarked(mark: re.Match[str], before: str) -> str:
    """Return the hidden character that a mark stands for if the old text had it; else the mark."""
    code = int(mark[1], 16)
    character = chr(code) if code <= 0x10FFFF else ""  # noqa: PLR2004  the last one of Unicode
    return character if character and character in before else mark[0]


def _chosen(text: str, part: Mapping[str, Any]) -> Any:  # noqa: ANN401  JSON
    for value in part.get("enum", ()):
        if _plain(value) == text:
            return value
    msg = sentence(f"{text!r} is not one of the choices")
    raise ToolInputError(msg)


def _number(text: str) -> int | float:
    text = text.strip()
    if _NUMBER.fullmatch(text) and len(text) <= _MAX_DIGITS:
        try:
            return int(text)
        except ValueError:
            value = float(text)
            if math.isfinite(value):
                return value
    msg = sentence(f"{text!r} is not a number")
    raise ToolInputError(msg)


def _with_numbers(items: Any, part: Mapping[str, Any]) -> Any:  # noqa: ANN401  JSON
    """Return the items of a list with numbers where its schema has nothing else.

    The form writes what is typed into a new item as a text.
    """
    properties = part["items"].get("properties", {})
    types = {name: types_of(one) for name, one in properties.items() if isinstance(one, Mapping)}
    numbers = {name for name, own in types.items() if own and own <= NUMBERS}
    if not numbers or not isinstance(items, list):
        return items
    return [
        {name: _number(v) if name in numbers and isinstance(v, str) else v for name, v in i.items()}
        if isinstance(i, dict)
        else i
        for i in items
    ]


def _boolean(text: str) -> bool:
    if text not in _BOOLEANS:
        msg = sentence(f"{text!r} is neither true nor false")
        raise ToolInputError(msg)
    return _BOOLEANS[text]


def _json(text: str) -> Any:  # noqa: ANN401  JSON
    def refuse(name: str) -> None:
        msg = f"{name} is not JSON"
        raise ValueError(msg)

    try:
        return json.loads(text, parse_constant=refuse, parse_float=_number)
    except RecursionError:
        msg = "it is nested too deep"
    except ValueError as error:
        msg = sentence(f"it is not JSON: {error}")
    raise ToolInputError(msg)


def _is_text(value: object) -> bool:
    """Return whether all strings in a value can be encoded as UTF-8."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
