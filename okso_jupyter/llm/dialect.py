"""Dialects: the ways to send a server a JSON Schema, each with its own question of few words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from okso_jupyter import assets
from okso_jupyter.llm.endpoint import RefusedError, is_too_long
from okso_jupyter.llm.protocol import CompletionRequest
from okso_jupyter.llm.type_outline import outline

#: "json_schema" as in OpenAI's API; "json_object" with the schema beside it, as in the server of
#: llama-cpp-python; "tools" as the arguments of the only function, which has to be called; three
#: names of the field for a GBNF grammar: that of llama.cpp, of vLLM and of older vLLM; "json_mode"
#: where a server writes JSON of any form, and "words" where it enforces nothing: the prompt of
#: these two states the form.
Dialect = Literal[
    "json_schema", "json_object", "tools", "grammar", "structured_outputs", "guided_grammar",
    "json_mode", "words",
]  # fmt: skip

#: Ways that hold a text to a schema, and those that hold it to a grammar, without room for blanks.
SCHEMAS: Final[frozenset[Dialect]] = frozenset({"json_schema", "json_object", "tools"})
_GRAMMARS: Final[frozenset[Dialect]] = frozenset(
    {"grammar", "structured_outputs", "guided_grammar"}
)
_BAD_REQUEST, _UNPROCESSABLE, _SERVER_ERROR = 400, 422, 500
#: Names of the format in a refusal: llama-cpp-python answers HTTP 500 to a format it lacks.
_OF_FORMAT: Final = ("response_format", "json_schema", "json_object", "tool_choice", "grammar")
_FUNCTION: Final = "answer"


def is_about_format(refused: RefusedError) -> bool:
    """Return whether a refusal names the format, so that another dialect may work."""
    return any(name in refused.words for name in _OF_FORMAT)


def may_be_of_format(refused: RefusedError) -> bool:
    """Return whether another dialect may help after a refusal, which need not name the format."""
    if refused.status in {_BAD_REQUEST, _UNPROCESSABLE}:
        return not is_too_long(refused)
    return refused.status >= _SERVER_ERROR and is_about_format(refused)


def named_instead(dialect: Dialect, refused: RefusedError) -> Dialect | None:
    """Return the dialect that a refusal names in place of the refused one; None if it names none.

    A server is known to read a schema beside `json_object` only if its refusal names that.
    """
    names = dialect == "json_schema" and "json_object" in refused.words
    return "json_object" if names else None


def body_fields(request: CompletionRequest, schema: Any, dialect: Dialect) -> dict[str, Any]:  # noqa: ANN401  a JSON Schema
    """Return the messages and format of a request body; `schema` is None for any text."""
    messages = [{"role": turn.role, "content": turn.content} for turn in request.messages]
    if schema is None:
        return {"messages": messages}
    schema = _without_unused(schema)
    if dialect in _GRAMMARS:
        if grammar := _grammar(schema):
            return {"messages": messages, **_grammar_field(grammar, dialect)}
        dialect = "words"
    schema = _as_object(schema) if dialect in {"tools", "json_mode"} else schema
    if dialect in {"json_mode", "words"}:
        messages[-1]["content"] += f"\n\n{assets.prompt('schema', form=outline(schema))}"
        mode = {"response_format": {"type": "json_object"}} if dialect == "json_mode" else {}
        return {"messages": messages, **mode}
    return {"messages": messages, **_enforcing(request.role, _as_servers_read(schema), dialect)}


def _grammar(schema: Mapping[str, Any]) -> str | None:
    """Return a schema as a grammar; None if it cannot be one, or llama.cpp is not installed."""
    try:
        from okso_jupyter.llm.grammar import grammar_of  # noqa: PLC0415  half a second to load
    except (ImportError, OSError):
        return None
    return grammar_of(schema)


def _grammar_field(grammar: str, dialect: Dialect) -> dict[str, Any]:
    return {dialect: {"grammar": grammar} if dialect == "structured_outputs" else grammar}


def _enforcing(role: str, schema: Any, dialect: Dialect) -> dict[str, Any]:  # noqa: ANN401  a JSON Schema
    """Return the fields that have a server hold a text to a schema."""
    if dialect == "tools":
        function = {"name": _FUNCTION, "parameters": schema}
        chosen = {"type": "function", "function": {"name": _FUNCTION}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": chosen}
    if dialect == "json_object":
        return {"response_format": {"type": dialect, "schema": schema}}
    form = {"name": role, "strict": True, "schema": schema}
    return {"response_format": {"type": dialect, dialect: form}}


def _as_object(schema: Any) -> Any:  # noqa: ANN401  a JSON Schema
    """Return a schema of an object; arguments and JSON mode take no other root."""
    if not isinstance(schema, Mapping) or schema.get("type") == "object":
        return schema
    root = {name: part for name, part in schema.items() if name != "$defs"}
    wrapped = {"type": "object", "properties": {_FUNCTION: root}, "required": [_FUNCTION]}
    return {**wrapped, "$defs": schema["$defs"]} if "$defs" in schema else wrapped


def unwrapped(text: str, schema: Mapping[str, Any] | None) -> str:
    """Return a text without the object that `body_fields` asks for around another value."""
    if schema is None or schema.get("type") == "object" or f'"{_FUNCTION}"' not in text:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # the latter: too deeply nested
        return text
    is_wrapped = isinstance(value, dict) and value.keys() == {_FUNCTION}
    return json.dumps(value[_FUNCTION], ensure_ascii=False) if is_wrapped else text


def _as_servers_read(schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a schema in the form of llama.cpp's server, which rejects `items: false`.

    Where `prefixItems` is given, `maxItems` forbids the same additional items.
    """
    if isinstance(schema, Mapping):
        parts = {name: _as_servers_read(part) for name, part in schema.items()}
        if parts.get("items") is False and "prefixItems" in parts:
            del parts["items"]
            parts.setdefault("maxItems", len(parts["prefixItems"]))
        return parts
    return [_as_servers_read(part) for part in schema] if isinstance(schema, list) else schema


def _without_unused(schema: Any) -> Any:  # noqa: ANN401  a JSON Schema
    """Return a schema without the definitions that it does not refer to."""
    if not isinstance(schema, Mapping) or not isinstance(schema.get("$defs"), Mapping):
        return schema
    used: dict[str, Any] = {}
    found = list(_references({key: part for key, part in schema.items() if key != "$defs"}))
    while found:
        name = found.pop()
        if name in schema["$defs"] and name not in used:
            used[name] = schema["$defs"][name]
            found += _references(used[name])
    return {**schema, "$defs": {n: part for n, part in schema["$defs"].items() if n in used}}


def _references(part: Any) -> Iterator[str]:  # noqa: ANN401  any part of a JSON Schema
    """Yield the names of the definitions that a part of a schema refers to."""
    if isinstance(part, Mapping):
        target = part.get("$ref")
        if isinstance(target, str):
            yield target.removeprefix("#/$defs/").partition("/")[0]
        for one in part.values():
            yield from _references(one)
    elif isinstance(part, list):
        for one in part:
            yield from _references(one)
