"""For tests of notebooks and tools: a model with scripted answers, and comparable tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from okso_jupyter.errors import UsageError
from okso_jupyter.llm.protocol import Completion, CompletionRequest, ModelIdentity

if TYPE_CHECKING:
    import pandas as pd


def stable(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of a run with its volatile columns blanked, so that it can be compared.

    Times, durations and run ids are blanked; `frames.stable` lists the columns.
    """
    from okso_jupyter.frames.stable import blanked  # noqa: PLC0415  pandas is slow

    return blanked(table)


class ScriptedModel:
    """A strict fake model: it returns its completions in order, whatever the role.

    Args:
        completions: The completions, in order; anything but text is written as JSON.

    Attributes:
        requests: The requests so far.
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
            UsageError: Too few completions are left.
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
        """Check that the script was used up.

        Raises:
            UsageError: Completions are left that were never requested.
        """
        if self._left:
            left, self._left = len(self._left), []
            msg = f"{left} scripted completion(s) were never asked for"
            raise UsageError(msg)
