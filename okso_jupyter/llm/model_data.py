"""What a server says of its models: which there are, and how many parameters the asked one has."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from okso_jupyter.errors import ModelError
from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.protocol import parameters_in
from okso_jupyter.llm.unpacking import UNPACKED, unpacked

_MOST_BYTES: Final = 1 << 20
_MOST_PARAMETERS: Final = 1 << 50
_OK: Final = 200
#: Fields of a list that tell models apart; others, such as `created`, are new in every answer.
_LASTING: Final = ("id", "root", "meta")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelData:
    """What a server says.

    Attributes:
        models: Hash of its list of models; empty if it gives none.
        parameters: Parameters of the asked model; 0 if it does not say.
    """

    models: str = ""
    parameters: int = 0


async def model_data(endpoint: Endpoint, client: httpx.AsyncClient) -> ModelData:
    """Return what a server says of its models, as llama-server, vLLM or Ollama do.

    Raises:
        httpx.HTTPError: It does not answer.
    """
    listed = _models(await _json(client, "GET", endpoint.url("/models")))
    if not listed:
        return ModelData()
    parameters = _in_list(endpoint.model, listed) or await _shown(endpoint, client)
    lasting = sorted(
        json.dumps({n: one.get(n) for n in _LASTING}, sort_keys=True) for one in listed
    )
    hashed = hashlib.sha256("\n".join(lasting).encode()).hexdigest()
    return ModelData(models=hashed, parameters=parameters)


def _models(answer: object) -> list[Mapping[str, Any]]:
    data = answer.get("data") if isinstance(answer, Mapping) else None
    return [one for one in data if isinstance(one, Mapping)] if isinstance(data, list) else []


def _in_list(model: str, listed: list[Mapping[str, Any]]) -> int:
    """Return the parameters that a list states, else those in the names of the model's entry.

    A server of one model answers to any name.
    """
    named = [one for one in listed if model in {one.get("id"), one.get("root")}]
    if len(named or listed) != 1:
        return 0
    (entry,) = named or listed
    return next((number for number in _stated(entry) if number), 0)


def _stated(entry: Mapping[str, Any]) -> Iterator[int]:
    meta = entry.get("meta")
    yield _plausible(meta.get("n_params")) if isinstance(meta, Mapping) else 0
    for name in ("id", "root"):
        yield parameters_in(str(entry.get(name) or "").rpartition("/")[2])


async def _shown(endpoint: Endpoint, client: httpx.AsyncClient) -> int:
    """Return the parameters that Ollama states for its model, beside its OpenAI-compatible API."""
    base = endpoint.address.removesuffix("/v1")
    answer = await _json(client, "POST", f"{base}/api/show", {"model": endpoint.model})
    if not isinstance(answer, Mapping):
        return 0
    info, details = answer.get("model_info"), answer.get("details")
    exact = info.get("general.parameter_count") if isinstance(info, Mapping) else None
    rounded = details.get("parameter_size") if isinstance(details, Mapping) else None
    return _plausible(exact) or parameters_in(str(rounded or ""))


def _plausible(number: object) -> int:
    return number if isinstance(number, int) and 0 < number <= _MOST_PARAMETERS else 0


async def _json(
    client: httpx.AsyncClient, method: str, url: str, body: object = None
) -> object | None:
    """Return the JSON of an answer up to a bound of bytes; None if there is none."""
    read = b""
    async with client.stream(method, url, json=body, headers=UNPACKED) as response:
        if response.status_code != _OK:
            return None
        try:
            async for part in unpacked(response):
                read += part
                if len(read) > _MOST_BYTES:
                    return None
            found: object = json.loads(read)
        except (ModelError, ValueError, RecursionError):  # the last: too deeply nested
            return None
    return found
