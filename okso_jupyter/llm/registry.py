"""Models that are loaded once and shared by every session of this process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.protocol import LanguageModel


@lru_cache(maxsize=2)
def open_model(
    spec: str,
    context_tokens: int,
    threads: int | None,
    revision: str = "main",
    home: Path | None = None,
) -> LanguageModel:
    """Return the model that a spec means, loaded if it is not.

    Args:
        spec: What `find_weights` takes.
        context_tokens: Tokens of its context.
        threads: Threads to compute with; None chooses.
        revision: Branch, tag or commit of a spec on the hub.
        home: OKSO_HOME, below which downloads are kept.

    Raises:
        ModelUnavailableError: The library or the weights are missing or damaged.
    """
    try:
        from okso_jupyter.llm.llama import LlamaModel  # noqa: PLC0415  half a second to load
    except (ImportError, OSError) as error:
        msg = f"llama.cpp cannot be loaded: {error}"
        hint = "install it with: pip install llama-cpp-python llguidance"
        raise ModelUnavailableError(msg, hint=hint) from error
    return LlamaModel(
        spec, context_tokens=context_tokens, threads=threads, revision=revision, home=home
    )
