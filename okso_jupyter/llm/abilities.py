"""What a model's server can do, told by asking it: hold a text to a schema, seeds, a grammar.

Each ability is seen in an answer; a server that accepts a field and ignores it does not have it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

import httpx

from okso_jupyter.errors import ModelError
from okso_jupyter.llm.background_loop import BackgroundLoop
from okso_jupyter.llm.endpoint import Endpoint
from okso_jupyter.llm.http_model import HttpModel
from okso_jupyter.llm.protocol import CompletionRequest, Message
from okso_jupyter.llm.stream import PartialCompletion

#: A word that no model writes unless the grammar makes it.
_FORCED: Final = "okso-7f3a"
_GRAMMAR: Final = f'root ::= "{_FORCED}"'
_FEW_TOKENS: Final = 16
_OK: Final = 200
_BY_DIALECT: Final = {
    "json_schema": "schema",
    "json_object": "schema (as json_object)",
    "words": "no schema",
}


def abilities(model: HttpModel, *, obeyed: bool, limit_s: float) -> list[str]:
    """Return what a server can do, in words; it is asked four short questions.

    Args:
        model: The model, which was asked for a text under a schema before.
        obeyed: Whether that text obeyed the schema, which its question did not state.
        limit_s: Seconds that each question may take.

    Raises:
        ModelError: The server does not answer.
    """
    schema = _BY_DIALECT[model.dialect] if obeyed else "no schema (it is ignored)"
    return [schema, *_of_seeds(model), *_of_grammar(model.endpoint, limit_s)]


def _of_seeds(model: HttpModel) -> Iterator[str]:
    """Yield whether a seed determines a text; nothing where all texts are the same anyway."""
    question = CompletionRequest(
        role="planner",
        messages=(Message("user", "Tell me about an animal that comes to your mind."),),
        seeds=(1, 1, 2),
        temperature=1,
        max_tokens=_FEW_TOKENS,
    )
    one, same, other = (answer.text for answer in model.complete(question))
    if one != same:
        yield "no seeds"
    elif one != other:
        yield "seeds"


def _of_grammar(endpoint: Endpoint, limit_s: float) -> Iterator[str]:
    """Yield whether a server writes what a GBNF grammar forces."""
    draft = PartialCompletion(seed=0, max_tokens=_FEW_TOKENS)
    job = BackgroundLoop(_write(endpoint, draft, limit_s))
    try:
        job.wait(limit_s + 1)
    finally:
        job.stop()
    yield "grammar" if draft.text.strip() == _FORCED else "no grammar"


async def _write(endpoint: Endpoint, draft: PartialCompletion, limit_s: float) -> None:
    """Write a text under the grammar; nothing where the server refuses the question."""
    body = {
        "model": endpoint.model,
        "messages": [{"role": "user", "content": "Say yes."}],
        "max_tokens": _FEW_TOKENS,
        "grammar": _GRAMMAR,
    }
    try:
        async with (
            asyncio.timeout(limit_s),
            endpoint.client(limit_s) as client,
            client.stream("POST", endpoint.url("/chat/completions"), json=body) as response,
        ):
            if response.status_code == _OK:
                await draft.read(response)
    except (ModelError, httpx.HTTPError, TimeoutError):
        draft.text = ""
