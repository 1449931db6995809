"""What is sent to a model's server on another machine: the kinds of content, limited by SEND."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from okso_jupyter.errors import ModelUnavailableError
from okso_jupyter.llm.protocol import LanguageModel
from okso_jupyter.llm.remote_host import remote_host

#: What a prompt may hold, by the value of SEND.
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "names": ("the request", "file names"),
    "headers": ("the request", "file names", "table headers"),
    "all": ("the request", "file names", "table headers", "values", "contents"),
}


def may_send(kind: str, model: LanguageModel, send: str) -> bool:
    """Return whether a prompt for a model may hold a kind of content.

    Args:
        kind: One of `KINDS`.
        model: The model; one on this machine may be told everything.
        send: The setting SEND.
    """
    return kind in KINDS[send] or not remote_host(model.identity.spec)


def check_contents(model: LanguageModel, send: str) -> None:
    """Raise ModelUnavailableError if a model may not be told what tools returned."""
    if may_send("contents", model, send):
        return
    msg = f"what tools return is not sent to {remote_host(model.identity.spec)}: SEND={send}"
    hint = "set SEND=all, or name a model on this machine with EXECUTOR_MODEL_SPEC"
    raise ModelUnavailableError(msg, hint=hint)
