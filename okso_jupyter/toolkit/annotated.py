"""Annotated: the JSON Schema of a function's arguments, from its annotations and docstring.

Pydantic is no dependency: whoever annotates with a model of it has it.
"""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, Final

from okso_jupyter.errors import ToolDefinitionError, ToolInputError
from okso_jupyter.toolkit.declaration import LENT

_TYPES: Final[Mapping[Any, str]] = {
    str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null",
    list: "array", dict: "object",
}  # fmt: skip
_ARRAYS: Final = (list, Sequence, Collection, Iterable)
_OBJECTS: Final = (dict, Mapping)
_CONSTANTS: Final = (str, int, float, bool, type(None))
_ARGS: Final = re.compile(r"^Args:\n((?:[ \t]+\S.*\n?|[ \t]*\n)+)", re.MULTILINE)
_ARG: Final = re.compile(r"^ {4}(\w+)(?: \([^)]*\))?: (.*(?:\n {5,}\S.*)*)", re.MULTILINE)


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the JSON Schema of a function's arguments; the context it is lent is none of them.

    An argument with a default may be left out. What the section `Args:` of the docstring says of
    an argument is its description; in `Annotated`, a text is the description and a dict is merged
    into the argument's schema.

    Raises:
        ToolDefinitionError: An argument has no annotation, or one that JSON Schema cannot say.
    """
    described = _descriptions(function)
    properties, definitions, required = {}, {}, []
    for name, (annotation, default) in _arguments(function).items():
        said = {"description": described[name]} if name in described else {}
        try:
            schema = {**said, **_schema(annotation)}
        except TypeError as error:
            msg = f"tool {function.__name__}: argument {name} {error}; say it in parameters="
            raise ToolDefinitionError(msg) from None
        definitions.update(schema.pop("$defs", {}))
        if default is inspect.Parameter.empty:
            required.append(name)
        elif isinstance(default, _CONSTANTS) and not isinstance(default, float | None):
            schema["default"] = default
        properties[name] = schema
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    return {
        **schema,
        **({"required": required} if required else {}),
        **({"$defs": definitions} if definitions else {}),
    }


def with_models(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, called with pydantic models where it is annotated with them.

    The returned function raises a ToolInputError if a model refuses its value.
    """
    models = {name: note for name, (note, _) in _arguments(function).items() if _has_model(note)}
    if not models:
        return function

    @wraps(function)
    def call(*lent: Any, **args: Any) -> Any:  # noqa: ANN401  what the function takes and gives
        made = {
            name: _made(models[name], name, value) if name in models else value
            for name, value in args.items()
        }
        return function(*lent, **made)

    return call


def _arguments(function: Callable[..., Any]) -> dict[str, tuple[Any, Any]]:
    """Return annotation and default by argument."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        msg = f"tool {function.__name__}: an annotation cannot be read: {error}"
        raise ToolDefinitionError(msg) from None
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name == LENT:
            continue
        is_one = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if not is_one or name not in hints:
            lacks = "has no annotation" if is_one else "stands for any number of values"
            msg = f"tool {function.__name__}: argument {name} {lacks}; say it in parameters="
            raise ToolDefinitionError(msg)
        found[name] = (hints[name], parameter.default)
    return found


def _schema(note: Any) -> dict[str, Any]:  # noqa: ANN401  any annotation
    """Return the schema of an annotation; raise TypeError, which says why, if it has none."""
    if _has_model(note) and typing.get_origin(note) is not typing.Annotated:
        return dict(_adapter(note).json_schema())
    if note is Any:
        return {}
    if typing.get_origin(note) is None and note in _TYPES:
        return {"type": _TYPES[note]}
    return _composed(note)


def _composed(note: Any) -> dict[str, Any]:  # noqa: ANN401  any annotation
    """Return the schema of an annotation that has parts."""
    origin, parts = typing.get_origin(note), typing.get_args(note)
    if origin is typing.Annotated:
        return _schema(parts[0]) | _extras(parts[1:])
    if origin is typing.Literal:
        return _choice(parts)
    if origin in (typing.Union, types.UnionType):
        return _either([_schema(part) for part in parts])
    if origin in _ARRAYS:
        return {"type": "array", "items": _schema(parts[0])}
    if origin in _OBJECTS and parts[0] is str:
        return {"type": "object", "additionalProperties": _schema(parts[1])}
    msg = f"is annotated {getattr(note, '__name__', note)}, which is no JSON value"
    raise TypeError(msg)


def _extras(extras: Iterable[object]) -> dict[str, Any]:
    """Return what the parts of `Annotated` behind the type add to the schema."""
    added: dict[str, Any] = {}
    for extra in extras:
        if isinstance(extra, Mapping):
            added |= extra
        elif text := extra if isinstance(extra, str) else getattr(extra, "description", None):
            added["description"] = text
    return added


def _choice(values: Sequence[Any]) -> dict[str, Any]:
    kinds = sorted({_TYPES[type(value)] for value in values if type(value) in _TYPES})
    return {"enum": list(values), "type": kinds[0] if len(kinds) == 1 else kinds}


def _either(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if all(set(schema) == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": list(schemas)}


def _has_model(note: Any) -> bool:  # noqa: ANN401  any annotation
    """Return whether an annotation is a pydantic model, or has one among its parts."""
    return hasattr(note, "model_json_schema") or any(map(_has_model, typing.get_args(note)))


def _adapter(note: Any) -> Any:  # noqa: ANN401  of pydantic, which is loaded: it made the model
    return sys.modules["pydantic"].TypeAdapter(note)


def _made(note: Any, name: str, value: object) -> Any:  # noqa: ANN401  a model, or several
    try:
        return _adapter(note).validate_python(value)
    except ValueError as error:
        reason = " ".join(str(error).split())
        msg = f"{name}: {reason}"
        raise ToolInputError(msg) from error


def _descriptions(function: Callable[..., Any]) -> dict[str, str]:
    """Return what the docstring's section `Args:` says, by argument."""
    section = _ARGS.search(inspect.cleandoc(function.__doc__ or ""))
    found = _ARG.findall(section[1]) if section else []
    return {name: " ".join(text.split()) for name, text in found}
