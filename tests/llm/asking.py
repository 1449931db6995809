"""Shared by the tests of served models: a request, and a model at an address."""

from __future__ import annotations

from typing import Any

from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.http_model import HttpModel
from okso_jupyter.llm.protocol import CompletionRequest, Message

KEY = "sk-of-nobody-0123456789"
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}},
    "required": ["city"],
    "additionalProperties": False,
}
ROME = '{"city":"Rome"}'
OSLO = '{"city":"Oslo"}'


def question(*seeds: int, schema: Any = CITY, **parts: Any) -> CompletionRequest:
    """Return a request for one completion per seed."""
    return CompletionRequest(
        role="planner",
        messages=(Message("system", "Be brief."), Message("user", "Name a city.")),
        seeds=seeds or (1,),
        schema=schema,
        **{"temperature": 0.7, "max_tokens": 64, **parts},
    )


def model_at(spec: str, *, key: str = "", timeout_s: float = 0.0) -> HttpModel:
    """Return the model for a spec."""
    return HttpModel(Endpoint.from_spec(spec, key), timeout_s=timeout_s)
