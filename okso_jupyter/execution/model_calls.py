"""ModelCalls: asks a model during execution, and records prompt and completion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from okso_jupyter.errors import ModelError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.llm.protocol import (
    Completion,
    CompletionRequest,
    LanguageModel,
    Message,
    ModelIdentity,
    Role,
    Sampling,
    ServedQuestion,
)
from okso_jupyter.llm.sending import check_contents
from okso_jupyter.redaction.redactor import Redactor
from okso_jupyter.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to a model.

    Attributes:
        text: The prompt.
        max_tokens: Most tokens of the completion.
        role: The role whose model is asked.
        schema: JSON Schema of the completion; None for plain text.
        step_id: The step that it is for; None for no step.
        served: The prompt for a server, which may know more; empty for the same.
    """

    text: str
    max_tokens: int
    role: Role = "executor"
    schema: Mapping[str, Any] | None = None
    step_id: int | None = None
    served: str = ""

    def for_server(self, model: ModelIdentity) -> ServedQuestion | None:
        """Return the question as a server gets it; None for a model of this process."""
        if not model.is_served or not self.served or self.schema is None:
            return None
        return ServedQuestion((Message("user", self.served),), self.schema, is_checked=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalls:
    """The models of one run.

    Attributes:
        model: Returns the model of a role; called only when needed, since loading is slow.
        settings: The settings.
        recorder: The run's journal.
        request: The user's request.
        values: Notebook values that the request names, between marks.
        redactor: Removes what the model must not see.
        on_sampling: Called with the model's progress; an exception from it ends the call.
    """

    model: Callable[[Role], LanguageModel]
    settings: Settings
    recorder: RunRecorder
    request: str
    redactor: Redactor
    values: str = ""
    on_sampling: Callable[[Sampling], None] | None = None

    @property
    def asked(self) -> str:
        """The request with the values that it names, for a prompt."""
        return f"{self.request}{self.values}"

    def ask(self, question: Question) -> Completion:
        """Ask the model once, at low temperature, and record prompt and completion.

        Raises:
            ModelError: There is no model, or its completion is flawed.
        """
        completion = self.complete(question)
        if completion.flaw:
            identity = self.model(question.role).identity
            at = f"{identity.spec}: " if identity.is_served else ""
            msg = f"{at}the model's answer cannot be used: {completion.flaw}"
            raise ModelError(msg)
        return completion

    def complete(self, question: Question) -> Completion:
        """Return the model's completion, even a flawed one; otherwise like `ask`.

        Raises:
            ModelError: The model cannot be asked, or SEND keeps what was observed from it.
        """
        role, step_id = question.role, question.step_id
        model = self.model(role)
        check_contents(model, self.settings.send)
        asked = CompletionRequest(
            role=role,
            messages=(Message("user", question.text),),
            seeds=(0,),
            temperature=self.settings.llama_temperature or 0.0,
            max_tokens=question.max_tokens,
            schema=question.schema,
            on_progress=self.on_sampling,
            served=question.for_server(model.identity),
        )
        self.recorder.settle()  # a model may take long, and others read the progress meanwhile
        with self.recorder.span("chat", role=role, step_id=step_id):
            completion = model.complete(asked)[0]
        self.recorder.completion(role, asked, completion, step_id=step_id)
        return completion
