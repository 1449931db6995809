"""For tests of notebooks and tools: a model that says what it was told, tables to compare."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from okso_jupyter.errors import UsageError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, ModelIdentity

if TYPE_CHECKING:
    import pandas as pd


def stable(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of a run with its volatile columns blank, to be compared with another one.

    Blank are times, durations and ids of runs; see `frames.stable`.
    """
    from okso_jupyter.frames.stable import blanked  # noqa: PLC0415  pandas is slow

    return blanked(table)


class ScriptedModel:
    """A strict model: it answers in order, whatever the role.

    Args:
        completions: What to answer, one per completion asked for; anything but text is written
            as JSON.

    Attributes:
        requests: What it was asked so far.
    """

    def __init__(self, completions: Iterable[Any]) -> None:
        self._left = [c if isinstance(c, str) else json.dumps(c) for c in completions]
        self.requests: list[CompletionRequest] = []

    @property
    def identity(self) -> ModelIdentity:
        """A name that no real model has."""
        return ModelIdentity(spec="scripted", name="ScriptedModel")

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return the next completions, one per seed.

        Raises:
            UsageError: Fewer are left.
        """
        self.requests.append(request)
        wanted = len(request.seeds)
        if len(self._left) < wanted:
            msg = f"{len(self._left)} completions are left, and {request.role} asks for {wanted}"
            raise UsageError(msg, hint="script one completion per sample, or ask for fewer samples")
        texts, self._left = self._left[:wanted], self._left[wanted:]
        prompt = "\n".join(f"{message.role}: {message.content}" for message in request.messages)
        return [
            Completion(
                text=text,
                seed=seed,
                prompt=prompt,
                prompt_tokens=0,
                cached_tokens=0,
                output_tokens=len(text.split()),
                duration_s=0.0,
                finish="stop",
            )
            for text, seed in zip(texts, request.seeds, strict=True)
        ]

    def close(self) -> None:
        """End the script.

        Raises:
            UsageError: Completions are left that nobody asked for.
        """
        if self._left:
            left, self._left = len(self._left), []
            msg = f"{left} scripted completion(s) were never asked for"
            raise UsageError(msg)
