"""RecordedModel: a language model whose answers are recorded, or replayed without any model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from okso_jupyter.journal.codec import sha256_of
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.protocol import (
    Completion,
    CompletionRequest,
    LanguageModel,
    ModelIdentity,
    Role,
)
from okso_jupyter.replay.boundary import Boundary
from okso_jupyter.replay.recorded_entries import spec_name


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedModel:
    """A model behind a boundary.

    Attributes:
        model: The model; None in a replay.
        recorded: Identity of the recorded model, for a replay.
        spec: The requested spec: it identifies the model without opening it.
        boundary: Records or replays.
    """

    model: LanguageModel | None
    recorded: ModelIdentity
    spec: str
    boundary: Boundary

    @classmethod
    def open(
        cls, role: Role, spec: str, boundary: Boundary, opened: Callable[[], LanguageModel]
    ) -> RecordedModel:
        """Return the model of a role.

        Args:
            role: The role.
            spec: The requested spec.
            boundary: Records or replays.
            opened: Opens the model; not called in a replay.

        Raises:
            ModelUnavailableError: It cannot be opened, or could not when it was recorded.
            ReplayMissError: This is a replay, and the model was not recorded.
        """
        models: list[LanguageModel] = []

        def live() -> dict[str, Any]:
            with interrupt.let_through():  # it may be downloaded first
                models.append(opened())
            return asdict(models[0].identity)

        identity = boundary.take("model", {"role": role, "spec": spec_name(spec)}, live)
        return cls(
            model=models[0] if models else None,
            recorded=ModelIdentity(**identity),
            spec=spec_name(spec),
            boundary=boundary,
        )

    @property
    def identity(self) -> ModelIdentity:
        """Identity of the model, or of the recorded one in a replay."""
        return self.recorded if self.model is None else self.model.identity

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed; see `LanguageModel`."""
        made: list[Completion] = []

        def live() -> list[dict[str, Any]]:
            if self.model is not None:
                with interrupt.let_through():  # a third-party model may not check for interrupts
                    made.extend(self.model.complete(request))
            return [_to_json(completion) for completion in made]

        gave = self.boundary.take("completions", question(request, self.spec), live)
        prompt = "\n".join(f"{message.role}: {message.content}" for message in request.messages)
        return made or [Completion(prompt=prompt, **one) for one in gave]

    def close(self) -> None:
        """Release what the model holds."""
        if self.model is not None:
            self.model.close()


def question(request: CompletionRequest, spec: str) -> dict[str, Any]:
    """Return the parts of a request that its answer depends on, as JSON data.

    Time limits and listeners are left out.
    """
    return {
        "role": request.role,
        "messages": [[message.role, message.content] for message in request.messages],
        "model": spec,
        "seeds": list(request.seeds),
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "hot": request.hot.pattern if request.hot else None,
        "schemas": [sha256_of(schema) for schema in request.schemas or (request.schema,)],
    }


def _to_json(completion: Completion) -> dict[str, Any]:
    said = {name: value for name, value in asdict(completion).items() if name != "prompt"}
    if completion.log_likelihood is None:
        del said["log_likelihood"]  # as in recordings of earlier versions
    return said
