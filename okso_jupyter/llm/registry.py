"""From a model spec to a model: opened once, and shared by every session of this process.

A spec with an address is a server's; all else is a GGUF file, which LLAMA_BIN runs where it is
set, and the library in this process where it is not.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Final

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.protocol import LanguageModel
from okso_jupyter.settings import Settings

#: Every kind of spec, for whoever gave one that is none.
KINDS: Final = (
    "a model is 'bundled', 'auto', the path of a GGUF file, repo[:file] on the Hugging Face hub, "
    "or http(s)://host[:port]/v1#model"
)
#: Two parallel steps that need the same model load it once.
_LOCK: Final = threading.Lock()


def is_address(spec: str) -> bool:
    """Say whether a spec leads to a server."""
    return spec.lower().startswith(("http://", "https://"))


def open_model(spec: str, settings: Settings) -> LanguageModel:
    """Return the model that a spec means, opened if it is not.

    Args:
        spec: "bundled", the path of a GGUF file, or http(s)://host[:port]/v1#model.
        settings: How it is run.

    Raises:
        ModelUnavailableError: The library, the weights or the server are missing or damaged.
    """
    with _LOCK:
        if is_address(spec):
            return _on_a_server(spec, settings.okso_api_key or "", settings.llama_timeout_s)
        if "://" in spec or not spec.strip():
            msg = f"model {spec.rpartition('@')[2]!r} is of no known kind"
            raise ModelUnavailableError(msg, hint=KINDS)
        context_tokens, threads = settings.llama_default_context_size, settings.llama_threads
        if settings.llama_bin:
            timeout_s = settings.llama_timeout_s
            return _on_our_server(spec, settings.llama_bin, context_tokens, threads, timeout_s)
        return _in_process(spec, context_tokens, threads)


@lru_cache(maxsize=8)
def _on_a_server(spec: str, key: str, timeout_s: float) -> LanguageModel:
    from okso_jupyter.llm.endpoint import Endpoint  # noqa: PLC0415  httpx: only who has a server
    from okso_jupyter.llm.http_model import HttpModel  # noqa: PLC0415  see above

    return HttpModel(Endpoint.from_spec(spec, key), timeout_s=timeout_s)


@lru_cache(maxsize=2)
def _on_our_server(
    spec: str, binary: str, context_tokens: int, threads: int | None, timeout_s: float
) -> LanguageModel:
    from okso_jupyter.llm.server import ServedModel  # noqa: PLC0415  see above

    return ServedModel(
        spec, binary=binary, context_tokens=context_tokens, threads=threads, timeout_s=timeout_s
    )


@lru_cache(maxsize=2)
def _in_process(spec: str, context_tokens: int, threads: int | None) -> LanguageModel:
    try:
        from okso_jupyter.llm.llama import LlamaModel  # noqa: PLC0415  half a second to load
    except (ImportError, OSError) as error:
        msg = f"llama.cpp cannot be loaded: {error}"
        hint = "install it with: pip install llama-cpp-python llguidance"
        raise ModelUnavailableError(msg, hint=hint) from error
    return LlamaModel(spec, context_tokens=context_tokens, threads=threads)
