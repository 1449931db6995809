"""Registry: opens the model of a spec once and shares it among the sessions of this process.

A spec with an address is a server's; any other is a GGUF file, which LLAMA_BIN runs if it is set,
else the library in this process.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.autotune import settle
from okso_jupyter.llm.context_size import ContextLimits
from okso_jupyter.llm.protocol import LanguageModel, Role
from okso_jupyter.llm.specs import KINDS, find_weights
from okso_jupyter.settings import Settings

#: Two parallel steps that need the same model load it once.
_LOCK: Final = threading.Lock()


def is_address(spec: str) -> bool:
    """Return whether a spec is the address of a server."""
    return spec.lower().startswith(("http://", "https://"))


def open_model(spec: str, settings: Settings, role: Role = "planner") -> LanguageModel:
    """Return the model of a spec, opened on first use.

    Args:
        spec: One of `KINDS`.
        settings: Settings to run it with.
        role: The role that uses it: `auto` and the revision of a download depend on it.

    Raises:
        ModelUnavailableError: The library, the weights or the server are missing or damaged.
    """
    with interrupt.let_through(), _LOCK:  # loading a model may take minutes
        if is_address(spec):
            key = settings.okso_api_key or ""
            return _on_a_server(spec, key, settings.llama_timeout_s, settings.send, settings.home)
        if "://" in spec or not spec.strip():
            msg = f"model {spec.rpartition('@')[2]!r} is of an unknown kind"
            raise ModelUnavailableError(msg, hint=KINDS)
        place = settings.model_of(role)[1], settings.home, settings.cache
        file = _File(settle(spec, role), *place)
        if settings.llama_bin:
            return _on_our_server(
                file,
                settings.llama_bin,
                settings.llama_default_context_size,
                settings.llama_threads,
                settings.llama_timeout_s,
            )
        return _in_process(file, ContextLimits.of(settings), settings.llama_threads)


@dataclass(frozen=True, slots=True)
class _File:
    """What determines a GGUF file: spec, revision on the hub, OKSO_HOME, and the user's cache."""

    spec: str
    revision: str
    home: Path
    cache: Path


@lru_cache(maxsize=8)
def _on_a_server(spec: str, key: str, timeout_s: float, send: str, home: Path) -> LanguageModel:
    with interrupt.deferred():
        from okso_jupyter.llm.endpoint import Endpoint  # noqa: PLC0415  only servers need it
        from okso_jupyter.llm.http_model import HttpModel  # noqa: PLC0415  see above
        from okso_jupyter.llm.server_memory import ServerMemory  # noqa: PLC0415  see above

    endpoint, memory = Endpoint.from_spec(spec, key), ServerMemory(home)
    return HttpModel(endpoint, timeout_s=timeout_s, send=send, memory=memory)


@lru_cache(maxsize=2)
def _on_our_server(
    file: _File, binary: str, context_tokens: int, threads: int | None, timeout_s: float
) -> LanguageModel:
    with interrupt.deferred():
        from okso_jupyter.llm.server import ServedModel, find_binary  # noqa: PLC0415  see above

    program = find_binary(binary)  # first: it is faster than a download
    return ServedModel(
        file.spec,
        find_weights(file.spec, revision=file.revision, home=file.home),
        binary=program,
        context_tokens=context_tokens,
        threads=threads,
        timeout_s=timeout_s,
    )


@lru_cache(maxsize=2)
def _in_process(file: _File, limits: ContextLimits, threads: int | None) -> LanguageModel:
    try:
        with interrupt.deferred():
            from okso_jupyter.llm.llama import LlamaModel  # noqa: PLC0415  half a second to load
    except (ImportError, OSError) as error:
        msg = f"llama.cpp cannot be loaded: {error}"
        hint = "install it with: pip install llama-cpp-python llguidance"
        raise ModelUnavailableError(msg, hint=hint) from error
    return LlamaModel(
        file.spec,
        limits=limits,
        threads=threads,
        revision=file.revision,
        home=file.home,
        cache=file.cache,
    )
