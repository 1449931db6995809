"""Models that the usual model servers of this machine list; nothing leaves it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Final

import httpx

from okso_jupyter.llm.unpacking import UNPACKED

#: Where the usual servers listen, by their names.
SERVERS: Final[Mapping[str, int]] = {
    "Ollama": 11434, "LM Studio": 1234, "llama-server": 8080, "vLLM": 8000,
}  # fmt: skip
#: Longest wait for a list of models, and the most that is read and shown of it.
_MOST_SECONDS: Final = 0.5
_MOST_BYTES: Final = 1 << 20
_MOST_LISTED: Final = 50


def models_of_servers(ports: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the spec of each model that a server lists, with the name of the server.

    A port where nothing listens, or something else does, is passed over.

    Args:
        ports: Ports of this machine by the name of the server that usually listens there.
    """
    with httpx.Client(timeout=_MOST_SECONDS, trust_env=False, headers=UNPACKED) as client:
        for name, port in ports.items():
            address = f"http://127.0.0.1:{port}/v1"
            try:
                listed = json.loads(_read(client, f"{address}/models"))["data"][:_MOST_LISTED]
                specs = [f"{address}#{one['id']}" for one in listed]
            except (httpx.HTTPError, ValueError, KeyError, TypeError, RecursionError):
                continue
            yield from ((spec, name) for spec in specs)


def _read(client: httpx.Client, url: str) -> bytes:
    """Return the body of an answer, up to a bound of bytes and seconds.

    Raises:
        ValueError: It is longer, or takes longer.
        httpx.HTTPError: There is no answer, or it is an error.
    """
    started, body = time.monotonic(), b""
    with client.stream("GET", url) as response:
        response.raise_for_status()
        for part in response.iter_raw():
            body += part
            if len(body) > _MOST_BYTES or time.monotonic() - started > _MOST_SECONDS:
                msg = "the list is too long or takes too long"
                raise ValueError(msg)
    return body
