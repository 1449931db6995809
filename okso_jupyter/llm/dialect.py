"""Dialects: the ways to send a server a JSON Schema, and which to try after a refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from okso_jupyter import assets
from okso_jupyter.llm.endpoint import RefusedError
from okso_jupyter.llm.protocol import CompletionRequest

#: "json_schema" as in OpenAI's API; "json_object" with the schema beside it, as in the server of
#: llama-cpp-python; "words" where the server enforces nothing and the prompt states the schema.
Dialect = Literal["json_schema", "json_object", "words"]

_BAD_REQUEST, _UNPROCESSABLE, _SERVER_ERROR = 400, 422, 500
#: Names of the format in a refusal: llama-cpp-python answers HTTP 500 to a format it lacks.
_OF_FORMAT: Final = ("response_format", "json_schema", "json_object")


def is_about_format(refused: RefusedError) -> bool:
    """Return whether a refusal names the format, so that another dialect may work."""
    return any(name in refused.words for name in _OF_FORMAT)


def after(dialect: Dialect, refused: RefusedError) -> Dialect | None:
    """Return the dialect to try after a refusal; None if no other dialect would help."""
    is_server_error = refused.status >= _SERVER_ERROR and is_about_format(refused)
    if dialect == "words" or not (
        refused.status in {_BAD_REQUEST, _UNPROCESSABLE} or is_server_error
    ):
        return None
    # a server is known to read this format only if its refusal names it
    names_other = dialect == "json_schema" and "json_object" in refused.words
    return "json_object" if names_other else "words"


def body_fields(request: CompletionRequest, schema: Any, dialect: Dialect) -> dict[str, Any]:  # noqa: ANN401  a JSON Schema
    """Return the messages and format of a request body; `schema` is None for any text."""
    messages = [{"role": turn.role, "content": turn.content} for turn in request.messages]
    if schema is None:
        return {"messages": messages}
    schema = _without_unused(schema)
    if dialect == "words":
        wish = assets.prompt("schema", schema=json.dumps(schema, separators=(",", ":")))
        messages[-1]["content"] += f"\n\n{wish}"
        return {"messages": messages}
    schema = _as_servers_read(schema)
    if dialect == "json_object":
        return {"messages": messages, "response_format": {"type": dialect, "schema": schema}}
    form = {"name": request.role, "strict": True, "schema": schema}
    return {"messages": messages, "response_format": {"type": dialect, dialect: form}}


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
