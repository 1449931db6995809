"""The form that a JSON Schema gives a text, in the notation of TypeScript: a third of the words.

It is for a model that is told the form and not held to it. What it leaves out is judged when the
text is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

#: Keywords of a least and a most: of a number, of a text's length, of a list's.
_BOUNDS: Final = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
_ANY: Final = "any"


def outline(schema: Mapping[str, Any]) -> str:
    """Return one line for each definition, and `answer = ...` for the whole.

    A question mark is behind a name that may be missing, bounds are in brackets: `string(1..20)`.
    """
    named = {**schema.get("$defs", {}), "answer": schema}
    return "\n".join(f"{name} = {_type(part)}" for name, part in named.items())


def _type(part: Any) -> str:  # noqa: ANN401  any part of a JSON Schema
    """Return the type of a part, with its bounds and its description."""
    if not isinstance(part, Mapping):
        return _ANY if part else "never"
    said = part.get("description")
    comment = f" /* {said} */" if isinstance(said, str) and said else ""
    return f"{_bare(part)}{_bounds(part)}{comment}"


def _bare(part: Mapping[str, Any]) -> str:
    if "$ref" in part:
        return str(part["$ref"]).removeprefix("#/$defs/")
    if "const" in part:
        return _json(part["const"])
    if "enum" in part:
        return " | ".join(map(_json, part["enum"]))
    for key in ("anyOf", "oneOf"):
        if key in part:
            return " | ".join(map(_type, part[key]))
    kind = part.get("type", _ANY)
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        return " | ".join(_type({**part, "type": one}) for one in kind)
    return {"object": _object, "array": _array}.get(str(kind), lambda _: str(kind))(part)


def _object(part: Mapping[str, Any]) -> str:
    required = part.get("required", ())
    fields = [
        f"{name}{'' if name in required else '?'}: {_type(one)}"
        for name, one in part.get("properties", {}).items()
    ]
    rest = part.get("additionalProperties", not fields)
    return f"{{{', '.join([*fields, *([f'...: {_type(rest)}'] if rest else [])])}}}"


def _array(part: Mapping[str, Any]) -> str:
    if "prefixItems" in part:
        return f"[{', '.join(map(_type, part['prefixItems']))}]"
    items = _type(part.get("items", True))
    return f"({items})[]" if " " in items else f"{items}[]"


def _bounds(part: Mapping[str, Any]) -> str:
    found = [*_ranges(part), *([f"/{part['pattern']}/"] if "pattern" in part else [])]
    return f"({', '.join(found)})" if found else ""


def _ranges(part: Mapping[str, Any]) -> Iterator[str]:
    for least, most in _BOUNDS:
        if (least in part or most in part) and "prefixItems" not in part:
            yield f"{part.get(least, '')}..{part.get(most, '')}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
