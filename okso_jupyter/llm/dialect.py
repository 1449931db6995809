"""How a server is told of a schema: they know different ways, and their refusals tell which."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

from okso_jupyter import assets
from okso_jupyter.llm.endpoint import RefusedError
from okso_jupyter.llm.protocol import CompletionRequest

#: "json_schema" as OpenAI has it; "json_object" with the schema beside it, as the server of
#: llama-cpp-python has it; "words" where a server enforces nothing, and the model is told.
Dialect = Literal["json_schema", "json_object", "words"]

_BAD_REQUEST, _UNPROCESSABLE, _SERVER_ERROR = 400, 422, 500
#: How a refusal speaks of the format: llama-cpp-python answers HTTP 500 to one it does not know.
_OF_FORMAT: Final = ("response_format", "json_schema", "json_object")


def is_about_format(refused: RefusedError) -> bool:
    """Say whether a server names the format in its refusal, so that another one may do better."""
    return any(name in refused.words for name in _OF_FORMAT)


def after(dialect: Dialect, refused: RefusedError) -> Dialect | None:
    """Return the way to try after a refusal; None where another way would change nothing."""
    is_server_error = refused.status >= _SERVER_ERROR and is_about_format(refused)
    if dialect == "words" or not (
        refused.status in {_BAD_REQUEST, _UNPROCESSABLE} or is_server_error
    ):
        return None
    # only who names it in the refusal is known to read it
    names_other = dialect == "json_schema" and "json_object" in refused.words
    return "json_object" if names_other else "words"


def told(request: CompletionRequest, schema: Any, dialect: Dialect) -> dict[str, Any]:  # noqa: ANN401  a JSON Schema
    """Return what a request says of messages and format; `schema` is None for any text."""
    messages = [{"role": turn.role, "content": turn.content} for turn in request.messages]
    if schema is None:
        return {"messages": messages}
    if dialect == "words":
        wish = assets.prompt("schema", schema=json.dumps(schema))
        messages[-1]["content"] += f"\n\n{wish}"
        return {"messages": messages}
    schema = _as_servers_read(schema)
    if dialect == "json_object":
        return {"messages": messages, "response_format": {"type": dialect, "schema": schema}}
    form = {"name": request.role, "strict": True, "schema": schema}
    return {"messages": messages, "response_format": {"type": dialect, dialect: form}}


def _as_servers_read(schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
    """Return a schema as llama.cpp's server reads it: `items: false` it takes for an error.

    What that forbids, items beyond those of `prefixItems`, `maxItems` forbids as well.
    """
    if isinstance(schema, Mapping):
        parts = {name: _as_servers_read(part) for name, part in schema.items()}
        if parts.get("items") is False and "prefixItems" in parts:
            del parts["items"]
            parts.setdefault("maxItems", len(parts["prefixItems"]))
        return parts
    return [_as_servers_read(part) for part in schema] if isinstance(schema, list) else schema
