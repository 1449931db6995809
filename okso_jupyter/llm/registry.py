"""Models that are loaded once and shared by every session of this process."""

from __future__ import annotations

from functools import lru_cache

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.protocol import LanguageModel


@lru_cache(maxsize=2)
def open_model(spec: str, context_tokens: int, threads: int | None) -> LanguageModel:
    """Return the model that a spec means, loaded if it is not.

    Args:
        spec: "bundled" or the path of a GGUF file.
        context_tokens: Tokens of its context.
        threads: Threads to compute with; None chooses.

    Raises:
        ModelUnavailableError: The library or the weights are missing or damaged.
    """
    try:
        from okso_jupyter.llm.llama import LlamaModel  # noqa: PLC0415  half a second to load
    except (ImportError, OSError) as error:
        msg = f"llama.cpp cannot be loaded: {error}"
        hint = "install it with: pip install llama-cpp-python llguidance"
        raise ModelUnavailableError(msg, hint=hint) from error
    return LlamaModel(spec, context_tokens=context_tokens, threads=threads)
