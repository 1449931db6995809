"""What a model's server can do, told by asking it: hold a text to a schema, seeds, a grammar."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from okso_jupyter.llm.http_model import HttpModel
from okso_jupyter.llm.probes import ask, has_dialect
from okso_jupyter.llm.protocol import CompletionRequest, Message

_FEW_TOKENS: Final = 16
_BY_DIALECT: Final = {
    "json_schema": "schema",
    "json_object": "schema (as json_object)",
    "grammar": "schema (as a grammar)",
    "structured_outputs": "schema (as a grammar)",
    "guided_grammar": "schema (as a grammar)",
    "tools": "schema (as a tool)",
    "json_mode": "no schema",
    "words": "no schema",
}


def abilities(model: HttpModel, *, obeyed: bool, limit_s: float) -> list[str]:
    """Return what a server can do, in words; it is asked a few short questions.

    Args:
        model: The model, which was asked for a text under a schema before.
        obeyed: Whether that text obeyed the schema, which its question did not state.
        limit_s: Seconds that each question may take.

    Raises:
        ModelError: The server does not answer.
    """
    schema = _BY_DIALECT[model.dialect] if obeyed else "no schema (it is ignored)"
    return [schema, *_of_seeds(model), *_of_forms(model, limit_s)]


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


def _of_forms(model: HttpModel, limit_s: float) -> Iterator[str]:
    """Yield which other ways there are to hold a text to a form."""
    for name, question in (
        ("grammar", partial(has_dialect, "grammar")),
        ("tools", partial(has_dialect, "tools")),
        ("JSON mode", partial(has_dialect, "json_mode")),
    ):
        yield name if ask(model.endpoint, question, limit_s) else f"no {name}"
