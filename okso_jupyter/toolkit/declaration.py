"""Checks of a tool's declaration, which may hold values of any type."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.effects.effect import UNDECLARED, Effect, as_effects
from okso_jupyter.errors import ToolDefinitionError

if TYPE_CHECKING:
    from okso_jupyter.toolkit.tool import Tool


#: Name of a handler's first parameter if it takes the ToolContext.
LENT: Final = "context"

#: Schema keyword of an argument that maps each of its values to a file effect.
FILE_EFFECTS: Final = "x-file-effects"
#: The allowed file effects.
CHOSEN_EFFECTS: Final = ("create", "add", "replace")

_OPTIONAL: Final = frozenset({"preview", "apart", "lint", "paths"})

#: Schema keywords whose values are data, not schemas.
_DATA: Final = frozenset({"const", "default", "enum", "examples"})

EffectOf = Callable[[Mapping[str, Any]], "str | Effect | Iterable[str | Effect]"]


def faults(tool: Tool) -> Iterator[str]:
    """Yield the faults of a declaration other than its name and schema, one clause each."""
    # callers may pass any type, whatever the annotations say
    parts: Mapping[str, Any] = {name: getattr(tool, name) for name in tool.__dataclass_fields__}
    if inspect.iscoroutinefunction(parts["handler"]):
        yield "the handler is a coroutine function; give one that returns its result"
    for name in ("description", "safety"):
        if not isinstance(parts[name], str):
            yield f"{name} is not a text"
    for name in ("handler", "effect", "preview", "apart", "lint", "paths"):
        if not callable(parts[name]) and not (parts[name] is None and name in _OPTIONAL):
            yield f"the {name} is not callable"
    timeout_s = parts["timeout_s"]
    if timeout_s is not None and not (isinstance(timeout_s, int | float) and timeout_s > 0):
        yield "timeout_s is not a number of seconds"
    yield from _list_faults(parts)


def _list_faults(parts: Mapping[str, Any]) -> Iterator[str]:
    if not all(isinstance(group, str) for group in parts["groups"]):
        yield "groups are not texts"
    for example in parts["examples"]:
        if not isinstance(example.request, str) or not isinstance(example.args, Mapping):
            yield "an example is not a request and a mapping of arguments"


def file_effect_faults(properties: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults of arguments that choose a file effect, one clause each.

    Args:
        properties: Schemas of the arguments, by name.
    """
    for name, part in properties.items():
        if FILE_EFFECTS not in part:
            continue
        said = part[FILE_EFFECTS]
        if not isinstance(said, Mapping) or not all(one in CHOSEN_EFFECTS for one in said.values()):
            yield f"{FILE_EFFECTS} of {name} does not map its values to create, add or replace"
        elif unknown := sorted(set(part.get("x-choices", ())) - set(said), key=str):
            yield f"{FILE_EFFECTS} of {name} does not say what {unknown[0]!r} does"
        if not any(other.get("x-ground") == "path" for other in properties.values()):
            yield f"{FILE_EFFECTS} of {name} needs an argument with x-ground path, the file's name"


def outside_references(schema: object) -> Iterator[str]:
    """Yield the external references of a JSON Schema: they would have to be fetched."""
    if isinstance(schema, Mapping):
        for key, part in schema.items():
            if key in {"$ref", "$dynamicRef"} and not str(part).startswith("#"):
                yield str(part)
            yield from outside_references(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from outside_references(part)


def resolved(part: Any, root: Mapping[str, Any], within: tuple[str, ...] = ()) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a part of a schema with each reference replaced by its target.

    A reference that is dangling or circular allows any value there; the call is still checked
    by the whole schema.

    Args:
        part: The part.
        root: The whole schema.
        within: The references being followed.
    """
    if isinstance(part, list | tuple):
        return [resolved(one, root, within) for one in part]
    if not isinstance(part, Mapping):
        return part
    found = {
        key: one if key in _DATA else resolved(one, root, within)
        for key, one in part.items()
        if key not in {"$ref", "$defs", "definitions"}
    }
    reference = part.get("$ref")
    if not isinstance(reference, str) or reference in within:
        return found
    return {**_named_part(reference, root, (*within, reference)), **found}


def _named_part(reference: str, root: Mapping[str, Any], within: tuple[str, ...]) -> Any:  # noqa: ANN401  see resolved
    import referencing  # noqa: PLC0415  comes with jsonschema, and not every import needs it
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415  the same

    whole = DRAFT202012.create_resource(dict(root))
    resolver = referencing.Registry().with_resource("", whole).resolver()
    try:
        target = resolver.lookup(reference).contents
    except referencing.exceptions.Unresolvable:
        return {}
    # true is a schema too: it allows any value
    return resolved(target, root, within) if isinstance(target, Mapping) else {}


def pairs(given: object) -> Iterator[tuple[Any, Any]]:
    """Yield examples as pairs; an item that is not a pair becomes one that `faults` reports."""
    for one in given if isinstance(given, Iterable) else [given]:
        if isinstance(one, tuple | list) and len(one) == 2:  # noqa: PLR2004  request, arguments
            yield one[0], one[1]
        else:
            yield one, None


def effect_function(
    name: str,
    effect: str | Effect | Iterable[str | Effect] | EffectOf | None,
) -> EffectOf:
    """Return the declaration as a function of the arguments."""
    if effect is None:
        return lambda _args: UNDECLARED
    if callable(effect):
        return effect
    try:
        fixed = as_effects(effect)
    except (ToolDefinitionError, TypeError) as error:
        msg = f"tool {name}: {error}"
        raise ToolDefinitionError(msg) from error
    return lambda _args: fixed


def first_parameter(function: Callable[..., Any]) -> str:
    """Return the name of a function's first parameter, or "" if there is none."""
    try:
        return next(iter(inspect.signature(function).parameters), "")
    except ValueError:  # some functions written in C have no signature
        return ""


def is_lent(function: Callable[..., Any], properties: Iterable[str]) -> bool:
    """Return whether a function of a tool with these arguments takes the ToolContext."""
    return LENT not in properties and first_parameter(function) == LENT


def check_signature(function: Callable[..., Any], schema: Mapping[str, Any]) -> None:
    """Raise ToolDefinitionError if the arguments of a function and a schema differ."""
    taken = {name for name in inspect.signature(function).parameters if name != LENT}
    declared = set(schema.get("properties", {}))
    if taken != declared:
        msg = f"tool {function.__name__}: it takes {sorted(taken)}, its schema {sorted(declared)}"
        raise ToolDefinitionError(msg)
