"""Short questions that show what a server can do: each ability is seen in an answer.

A server that accepts a field and ignores it does not have the ability.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar, get_args

import httpx

from okso_jupyter.errors import ModelError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.background_loop import BackgroundLoop
from okso_jupyter.llm.dialect import Dialect, body_fields
from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.protocol import CompletionRequest, Message
from okso_jupyter.llm.stream import PartialCompletion

#: A word that no model writes unless schema or grammar make it.
_FORCED: Final = "okso-7f3a"
_WORD: Final = {
    "type": "object",
    "properties": {"word": {"const": _FORCED}},
    "required": ["word"],
    "additionalProperties": False,
}
_FEW_TOKENS: Final = 32
_MOST_S: Final = 30.0
_OK: Final = 200
#: In the order of what they promise; words always work.
_BEST_FIRST: Final[tuple[Dialect, ...]] = get_args(Dialect)
_TICK_S: Final = 0.2

T = TypeVar("T")


def ask(
    endpoint: Endpoint,
    question: Callable[[Endpoint, httpx.AsyncClient], Coroutine[Any, Any, T]],
    limit_s: float,
) -> T | None:
    """Return the answer to short questions; None if the server does not answer in time.

    Raises:
        KeyboardInterrupt: The user stopped it.
    """
    answers: list[T] = []

    async def answer() -> None:
        async with asyncio.timeout(limit_s), endpoint.client(limit_s) as client:
            answers.append(await question(endpoint, client))

    with interrupt.deferred():
        job = BackgroundLoop(answer())
        try:
            while not job.wait(_TICK_S):
                interrupt.raise_if_pending()
        except (httpx.HTTPError, TimeoutError):
            return None
        finally:
            job.stop()
    return answers[0]


async def best_after(dialect: Dialect, endpoint: Endpoint, client: httpx.AsyncClient) -> Dialect:
    """Return the dialect that promises most among those that a server has.

    Args:
        dialect: One that did not work; only those that promise less are tried.
        endpoint: The server.
        client: HTTP client of the questions.
    """
    for other in _BEST_FIRST[_BEST_FIRST.index(dialect) + 1 : -1]:
        if await has_dialect(other, endpoint, client):
            return other
    return _BEST_FIRST[-1]


async def has_dialect(dialect: Dialect, endpoint: Endpoint, client: httpx.AsyncClient) -> bool:
    """Return whether a server writes the word that a schema forces, or in JSON mode an object."""
    question = CompletionRequest(
        role="planner", messages=(Message("user", "Say yes."),), seeds=(0,), temperature=0,
        max_tokens=_FEW_TOKENS,
    )  # fmt: skip
    text = await _answer(endpoint, client, body_fields(question, _WORD, dialect), _WORD)
    return text.startswith("{") if dialect == "json_mode" else _FORCED in text


async def _answer(
    endpoint: Endpoint,
    client: httpx.AsyncClient,
    fields: Mapping[str, Any],
    schema: Mapping[str, Any],
) -> str:
    """Return the answer to a question; empty where the server refuses it."""
    draft = PartialCompletion(seed=0, max_tokens=_FEW_TOKENS, schema=schema)
    body = {
        "model": endpoint.model,
        "temperature": 0,
        "max_tokens": _FEW_TOKENS,
        "seed": draft.seed,
        "stream": True,
    }
    url = endpoint.url("/chat/completions")
    try:
        async with (
            asyncio.timeout(_MOST_S),
            client.stream("POST", url, json={**body, **fields}) as response,
        ):
            if response.status_code == _OK:
                await draft.read(response)
    except (ModelError, httpx.HTTPError, TimeoutError):
        return ""
    return draft.answer.strip()
