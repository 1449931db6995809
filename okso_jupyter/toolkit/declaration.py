"""What a tool's declaration must be; what a package hands over may be anything."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.effects.effect import UNDECLARED, Effect, as_effects
from okso_jupyter.errors import ToolDefinitionError

if TYPE_CHECKING:
    from okso_jupyter.toolkit.tool import Tool


#: Name of the first parameter of a handler that wants the ToolContext.
LENT: Final = "context"

#: Keyword of an argument that says what each of its values does to a file.
FILE_EFFECTS: Final = "x-file-effects"
#: What such values do.
CHOSEN_EFFECTS: Final = ("create", "add", "replace")

_OPTIONAL: Final = frozenset({"preview", "apart", "lint", "paths"})

#: Keywords whose values are data, and no schemas.
_DATA: Final = frozenset({"const", "default", "enum", "examples"})

EffectOf = Callable[[Mapping[str, Any]], "str | Effect | Iterable[str | Effect]"]


def faults(tool: Tool) -> Iterator[str]:
    """Yield what is wrong with a declaration beside its name and schema, a clause each."""
    # What a caller gives is of any type, whatever the annotations say.
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
    """Yield what is wrong with an argument that chooses what becomes of a file, a clause each.

    Args:
        properties: Schemas of the arguments, by name.
    """
    for name, part in properties.items():
        if FILE_EFFECTS not in part:
            continue
        said = part[FILE_EFFECTS]
        if not isinstance(said, Mapping) or not all(one in CHOSEN_EFFECTS for one in said.values()):
            yield f"{FILE_EFFECTS} of {name} is no mapping of its values to create, add or replace"
        elif unknown := sorted(set(part.get("x-choices", ())) - set(said), key=str):
            yield f"{FILE_EFFECTS} of {name} does not say what {unknown[0]!r} does"
        if not any(other.get("x-ground") == "path" for other in properties.values()):
            yield f"{FILE_EFFECTS} of {name} needs an argument with x-ground path, the file's name"


def outside_references(schema: object) -> Iterator[str]:
    """Yield what a JSON Schema refers to that is not in it: it would have to be fetched."""
    if isinstance(schema, Mapping):
        for key, part in schema.items():
            if key in {"$ref", "$dynamicRef"} and not str(part).startswith("#"):
                yield str(part)
            yield from outside_references(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            yield from outside_references(part)


def resolved(part: Any, root: Mapping[str, Any], within: tuple[str, ...] = ()) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a part of a schema with what it refers to in the place of each reference.

    What refers to nothing, or to itself again, allows any value there; the call is still checked
    by the whole schema.

    Args:
        part: The part.
        root: The whole schema.
        within: The references that are being followed.
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
    # true is a schema too: anything goes
    return resolved(target, root, within) if isinstance(target, Mapping) else {}


def pairs(given: object) -> Iterator[tuple[Any, Any]]:
    """Yield examples as pairs; what is none becomes one that `faults` will name."""
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
    """Return the name of a function's first parameter; nothing where it has none to tell."""
    try:
        return next(iter(inspect.signature(function).parameters), "")
    except ValueError:  # some functions written in C do not say
        return ""


def is_lent(function: Callable[..., Any], properties: Iterable[str]) -> bool:
    """Say whether a function of a tool with these arguments asks for the ToolContext."""
    return first_parameter(function) == LENT and LENT not in properties


def check_signature(function: Callable[..., Any], schema: Mapping[str, Any]) -> None:
    """Raise ToolDefinitionError if a function and a schema name different arguments."""
    taken = {name for name in inspect.signature(function).parameters if name != LENT}
    declared = set(schema.get("properties", {}))
    if taken != declared:
        msg = f"tool {function.__name__}: it takes {sorted(taken)}, its schema {sorted(declared)}"
        raise ToolDefinitionError(msg)
