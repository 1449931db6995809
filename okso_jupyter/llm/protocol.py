"""Protocol of language models: requests and completions; any object with `complete` conforms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol

from okso_jupyter.errors import ModelError

Finish = Literal["stop", "length", "time", "draft"]
#: Weights below this size count as a small model, of at most about two billion parameters.
_SMALL_BYTES: Final = 1_200_000_000
_SMALL_PARAMETERS: Final = 2e9
#: The number of parameters in the name of a model: SmolLM2-135M, qwen2.5:0.5b.
_PARAMETERS: Final = re.compile(
    r"(?i)(?<![\w.])(?P<number>\d+(?:\.\d+)?)(?P<scale>[mb])(?![a-z0-9])"
)
_SCALES: Final = {"m": 1e6, "b": 1e9}

Role = Literal["planner", "executor", "rephraser", "intent", "validator"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Progress of a call.

    Attributes:
        prompt_tokens: Tokens of the prompt; 0 if the model does not state them.
        prompt_done: How many of them are read.
        completions: Completions that were requested.
        completions_done: How many of them are finished.
        output_tokens: Tokens written so far; tokens that completions share may count once.
        elapsed_s: Seconds since the call began.
        tokens_per_s: Tokens written per second, over all completions; 0 before the first.
        left_s: Seconds that are likely left; None if there is no basis for an estimate.
    """

    prompt_tokens: int
    prompt_done: int
    completions: int
    completions_done: int
    output_tokens: int
    elapsed_s: float
    tokens_per_s: float
    left_s: float | None = None


@dataclass(frozen=True, slots=True)
class ServedQuestion:
    """The same question as a server gets it: it pays for schemas, and its model knows more words.

    Attributes:
        messages: The conversation.
        schema: A JSON Schema; it may leave to the reader what takes many words to state.
        is_checked: Whether the schema says all, so that answers are checked against it at once;
            otherwise whoever asks judges them.
        before: The text in front of the answer, where all answers have the same; a completion
            begins with it.
        after: The same behind the answer.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    is_checked: bool = False
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One prompt, to be completed once per seed.

    Attributes:
        role: The role that asks; for records only.
        messages: The conversation; messages that stay the same between requests come first, so that
            their state can be reused.
        seeds: Seeds of the random streams; one completion per seed.
        temperature: 0 (always the likeliest token) to 1.
        max_tokens: Most tokens that one completion may have.
        schema: JSON Schema that every completion obeys, or None for free text.
        schemas: One per seed instead of `schema`, if they differ.
        hot: If given, the temperature applies only while the text so far matches it at its end;
            elsewhere the likeliest token is taken. A small model wanders if the temperature applies
            inside arguments too, and writes the same text for every seed if it applies nowhere.
        enough_after_s: Seconds after which finished completions are enough, and the others are
            given up; 0 is never. If none is finished by then, the longest continues alone. A model
            that cannot end early may ignore it.
        drafts_after_s: Seconds after which the text so far is returned although no completion is
            finished; 0 is never. A model that cannot end early may ignore it.
        on_progress: Called a few times a second with the progress, in the caller's thread. An
            exception that it raises ends the call.
        served: What a server is sent in place of messages and schema; None for those themselves.
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
    served: ServedQuestion | None = None

    @property
    def for_server(self) -> CompletionRequest:
        """The request as a server gets it."""
        if self.served is None or self.schemas:
            return self
        return replace(self, messages=self.served.messages, schema=self.served.schema)

    def schema_of(self, place: int) -> Mapping[str, Any] | None:
        """Return the schema of the completion at an index, from 0."""
        return self.schemas[place] if self.schemas else self.schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One completion.

    Attributes:
        text: What the model wrote.
        seed: Seed of its random stream.
        prompt: The prompt as the model saw it, including the chat template.
        prompt_tokens: Tokens of the prompt.
        cached_tokens: How many of them were not computed again.
        output_tokens: Tokens of the text, forced ones included.
        duration_s: Seconds from the start of the call to its last token.
        finish: "stop" if the text is complete, "length" if it was cut, "time" if it was given up
            because others were enough, "draft" if it is unfinished because the time was up before
            any was finished.
        flaw: Why the text is not what was requested, from a model that cannot enforce a schema;
            empty if it is.
        log_likelihood: Natural logarithm of the probability that the model gives the tokens of the
            text, at temperature 1 and among what the schema allows; None from a server.
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
    log_likelihood: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelIdentity:
    """Facts that identify a model unambiguously in a record.

    Attributes:
        spec: The spec that was requested.
        name: A readable name.
        sha256: Hash of the weights; empty if there is no file.
        build: Library that runs it, with its version.
        context_tokens: Tokens that prompt and completion may have together.
        threads: Threads that it computes with.
        together: Completions that cost about as much as one, since they share a batch.
        weights_bytes: Size of the weights; 0 if there is no file.
        parameters: How many the server says that it has; 0 if unknown.
        has_server: Whether a server runs it although its spec is a file.
    """

    spec: str
    name: str
    sha256: str = ""
    build: str = ""
    context_tokens: int = 0
    threads: int = 0
    together: int = 8
    weights_bytes: int = 0
    parameters: int = 0
    has_server: bool = False

    @property
    def is_served(self) -> bool:
        """Whether a server runs it, so that every prompt is sent."""
        return self.has_server or self.spec.lower().startswith(("http://", "https://"))

    @property
    def is_small(self) -> bool:
        """Whether it copies well and invents badly, so it is offered only values that exist.

        Of a model without a file its server tells, else its name, if that does.
        """
        if self.weights_bytes:
            return self.weights_bytes < _SMALL_BYTES
        return 0 < (self.parameters or parameters_in(self.name)) <= _SMALL_PARAMETERS

    @property
    def is_large(self) -> bool:
        """Whether its file, its server or its name tells that it is not small."""
        is_told = self.weights_bytes or self.parameters or parameters_in(self.name)
        return bool(is_told) and not self.is_small


def parameters_in(name: str) -> int:
    """Return the number of parameters that a model's name states; 0 if it states none."""
    said = _PARAMETERS.search(name)
    if said is None:
        return 0
    return int(float(said["number"]) * _SCALES[said["scale"].lower()])


def as_bytes(text: str) -> bytes:
    """Return a prompt encoded as UTF-8.

    Raises:
        ModelError: It holds a lone surrogate, and so is not valid text.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        msg = "the prompt is not text: it holds half a character (a lone surrogate)"
        raise ModelError(msg, hint="take it out of the request") from error


class LanguageModel(Protocol):
    """A language model."""

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        ...

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed, in the order of the seeds.

        Raises:
            ModelInputError: The prompt does not fit into the context.
            ModelError: The model cannot answer.
        """
        ...

    def close(self) -> None:
        """Release the model's resources."""
        ...
