"""RedactingModel: a model whose prompts have their secrets redacted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from okso_jupyter.llm.protocol import (
    Completion,
    CompletionRequest,
    LanguageModel,
    Message,
    ModelIdentity,
)
from okso_jupyter.redaction.redactor import Redactor

#: Keywords of a schema that hold values; the others are grammar.
_VALUES: Final = frozenset({"enum", "const"})


@dataclass(frozen=True, slots=True)
class RedactingModel:
    """Redacts secrets in every prompt, and in the values that a schema offers.

    Attributes:
        model: The wrapped model.
        redactor: Knows the secrets.
    """

    model: LanguageModel
    redactor: Redactor

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self.model.identity

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed, as `LanguageModel.complete` does."""
        served = request.served
        safe = replace(
            request,
            messages=self._messages(request.messages),
            schema=None if request.schema is None else self._offered(request.schema),
            schemas=tuple(self._offered(one) for one in request.schemas),
            served=served
            and replace(
                served,
                messages=self._messages(served.messages),
                schema=self._offered(served.schema),
            ),
        )
        return self.model.complete(safe)

    def close(self) -> None:
        """Release the model's resources."""
        self.model.close()

    def _messages(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return messages with their secrets redacted."""
        return tuple(
            replace(message, content=self.redactor.text(message.content)) for message in messages
        )

    def _offered(self, schema: Any) -> Any:  # noqa: ANN401  any part of a JSON Schema
        """Return a schema with the secrets in its values redacted."""
        if isinstance(schema, Mapping):
            return {
                key: self.redactor.json(part) if key in _VALUES else self._offered(part)
                for key, part in schema.items()
            }
        return [self._offered(part) for part in schema] if isinstance(schema, list) else schema
