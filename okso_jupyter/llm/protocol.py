"""What a language model is asked and what it answers; any object with `complete` will do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from okso_jupyter.errors import ModelError

Finish = Literal["stop", "length", "time", "draft"]
#: Weights below this size are those of a small model, some two thousand million of them at most.
_SMALL_BYTES: Final = 1_200_000_000

Role = Literal["planner", "executor", "rephraser", "intent", "validator"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How far a call has come.

    Attributes:
        prompt_tokens: Tokens of the prompt; 0 where the model does not say.
        prompt_done: How many of them are read.
        completions: Completions that were asked for.
        completions_done: How many of them are finished.
        output_tokens: Tokens written so far; those that completions share may count once.
        elapsed_s: Seconds since the call began.
        tokens_per_s: Tokens written per second, over all completions; 0 before the first.
        left_s: Seconds that are likely left; None where there is nothing to judge by.
    """

    prompt_tokens: int
    prompt_done: int
    completions: int
    completions_done: int
    output_tokens: int
    elapsed_s: float
    tokens_per_s: float
    left_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One prompt, to be completed once per seed.

    Attributes:
        role: Who asks; for records only.
        messages: The conversation; what stays the same between requests comes first, so that
            its state can be reused.
        seeds: One random stream, and so one completion, each.
        temperature: 0 (always the likeliest token) to 1.
        max_tokens: Most tokens that one completion may have.
        schema: JSON Schema that every completion obeys, or None for free text.
        schemas: One per seed, in place of `schema`, where they do not all obey the same.
        hot: Where given, the temperature holds only while the text so far matches it at its
            end; elsewhere the likeliest token is taken. A small model wanders when it is
            sampled hot inside arguments, and is all the same when sampled cold everywhere.
        enough_after_s: Seconds after which finished completions are enough, and the others are
            given up; 0 is never. Where none is finished by then, the one that is farthest goes on
            alone. A model that cannot end early may overlook it.
        drafts_after_s: Seconds after which what is written so far is given back although no
            completion is finished; 0 is never. A model that cannot end early may overlook it.
        on_progress: Told a few times a second how far the call is, in the caller's thread. What
            it raises ends the call.
    """

    role: Role
    messages: tuple[Message, ...]
    seeds: tuple[int, ...]
    temperature: float
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    schemas: tuple[Mapping[str, Any], ...] = ()
    hot: re.Pattern[str] | None = None
    enough_after_s: float = 0.0
    drafts_after_s: float = 0.0
    on_progress: Callable[[Sampling], None] | None = field(default=None, compare=False, repr=False)

    def schema_of(self, place: int) -> Mapping[str, Any] | None:
        """Return what the completion at a place, from 0, obeys."""
        return self.schemas[place] if self.schemas else self.schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One completion.

    Attributes:
        text: What the model wrote.
        seed: Seed of its random stream.
        prompt: The prompt as the model saw it, chat template and all.
        prompt_tokens: Tokens of the prompt.
        cached_tokens: How many of them were not computed again.
        output_tokens: Tokens of the text, forced ones included.
        duration_s: Seconds from the start of the call to its last token.
        finish: "stop" where the text is complete, "length" where it was cut, "time" where it was
            given up because others were enough, "draft" where it is unfinished because the time was
            up before any was finished.
        flaw: Why the text is not what was asked for, from a source that cannot enforce a schema;
            empty where it is.
    """

    text: str
    seed: int
    prompt: str
    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    duration_s: float
    finish: Finish
    flaw: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """What a record needs to name a model beyond doubt.

    Attributes:
        spec: The spec that asked for it.
        name: A readable name.
        sha256: Hash of the weights, or empty where there is no file.
        build: Library and version that runs it.
        context_tokens: Tokens that prompt and completion may have together.
        threads: Threads that it computes with.
        together: Completions that it makes at about the price of one, since they share a batch.
        weights_bytes: Size of the weights; 0 where there is no file.
    """

    spec: str
    name: str
    sha256: str = ""
    build: str = ""
    context_tokens: int = 0
    threads: int = 0
    together: int = 8
    weights_bytes: int = 0

    @property
    def is_small(self) -> bool:
        """Whether it copies well and invents badly, so that it is only offered what exists."""
        return 0 < self.weights_bytes < _SMALL_BYTES


def as_bytes(text: str) -> bytes:
    """Return a prompt as a model reads it.

    Raises:
        ModelError: It is no text.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        msg = "the prompt is no text: it holds half a character (a lone surrogate)"
        raise ModelError(msg, hint="take it out of the request") from error


class LanguageModel(Protocol):
    """A model that can be asked."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        ...

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed, in the order of the seeds.

        Raises:
            ModelInputError: The prompt does not fit.
            ModelError: The model cannot answer.
        """
        ...

    def close(self) -> None:
        """Let go of what the model holds."""
        ...
