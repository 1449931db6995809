"""A model that is looked at while a session asks it: what it was asked, and what it answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from okso_jupyter.llm.protocol import Completion, CompletionRequest, LanguageModel, ModelIdentity


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answers."""

    request: CompletionRequest
    completions: Sequence[Completion]


@dataclass(slots=True)
class WatchedModel:
    """Passes everything on to a model and keeps what went to and fro.

    Attributes:
        model: The model that answers.
        seen: What was asked, in order.
    """

    model: LanguageModel
    seen: list[Exchange] = field(default_factory=list)

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self.model.identity

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed; see `LanguageModel.complete`."""
        completions = self.model.complete(request)
        self.seen.append(Exchange(request, completions))
        return completions

    def close(self) -> None:
        """Do nothing: the model belongs to whoever opened it."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  whatever else the model can do
        return getattr(self.model, name)
