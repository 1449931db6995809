"""Who makes calls of a request: this planner, one constrained generation, a peer's own way."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol

import okso_jupyter
from benchmarks.quality.answers import Answer, Key, code_version
from benchmarks.quality.cases import Case
from benchmarks.quality.checker import Call
from benchmarks.quality.watched import Exchange, WatchedModel
from benchmarks.workers import Worker
from okso_jupyter import OksoError, Session, Settings
from okso_jupyter.llm.protocol import CompletionRequest, LanguageModel, Message

_SEED: Final = 1
_FINAL_TOOL: Final = "final_answer"
_HERE: Final = Path(__file__).parent
_PRODUCT: Final = Path(okso_jupyter.__file__).parent
#: Bounds of the single generation; a plan of this project is bounded by its settings.
_MOST_TOKENS: Final = 512
_MOST_CALLS: Final = 8


class Contestant(Protocol):
    """Somebody who makes calls of a case's request."""

    @property
    def key(self) -> Key:
        """What the answers depend on."""
        ...

    def answer(self, case: Case, *, plain_too: bool = False) -> Answer:
        """Return the calls for a case.

        Args:
            case: The case.
            plain_too: Measure the plain batch of candidates as well, where there is one.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """This project, as a program uses it: a session with the case's tools plans the request.

    Attributes:
        model: The model that plans.
        settings: All settings; its home keeps the journal.
        said: The settings that were chosen, in words.
        samples: Candidates of a request; None for the default.
        root: An empty folder that the sessions work in.
    """

    model: LanguageModel
    settings: Settings
    said: str
    samples: int | None
    root: Path

    @property
    def key(self) -> Key:
        """Every file of the product counts."""
        chosen = f"samples={self.samples} {self.said}" if self.samples else self.said
        code = code_version(_PRODUCT, _HERE / "cases.py")
        name = model_name(self.model)
        return Key(contestant="okso_jupyter", model=name, settings=chosen.strip(), code=code)

    def answer(self, case: Case, *, plain_too: bool = False) -> Answer:
        """Plan the case's request; see `Contestant.answer`."""
        watched = WatchedModel(self.model)
        calls: tuple[Call, ...] = ()
        error = ""
        started = time.perf_counter()
        with Session(self.settings, tools=case.tools(), model=watched, root=self.root) as session:
            try:
                plan = session.plan(case.request, samples=self.samples, seed=_SEED).plan
            except OksoError as failure:
                error = str(failure)
            else:
                calls = tuple(
                    Call(step.tool, dict(step.args))
                    for step in plan.steps
                    if step.tool != _FINAL_TOOL
                )
        duration_s = time.perf_counter() - started
        return Answer(
            calls=calls,
            duration_s=duration_s,
            prompt_tokens=sum(e.completions[0].prompt_tokens for e in watched.seen),
            output_tokens=sum(c.output_tokens for e in watched.seen for c in e.completions),
            plain_s=self._plain_s(watched.seen) if plain_too and watched.seen else None,
            error=error,
        )

    def _plain_s(self, seen: Sequence[Exchange]) -> float:
        """Return the seconds of the largest batch of candidates alone, nothing of it known before.

        A word at its very start makes the prompt one that the model has not read yet.
        """
        largest = max(seen, key=_size).request
        first, *others = largest.messages
        fresh = Message(first.role, f"{time.perf_counter_ns()}. {first.content}")
        request = replace(largest, messages=(fresh, *others), on_progress=None)
        started = time.perf_counter()
        self.model.complete(request)
        return time.perf_counter() - started


def _size(exchange: Exchange) -> int:
    """Return the tokens of a batch: its prompt once, and all that was written."""
    written = sum(completion.output_tokens for completion in exchange.completions)
    return exchange.completions[0].prompt_tokens + written


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleGeneration:
    """One greedy completion within a JSON Schema of the tools, without examples.

    It has to call something: a small model that may write an empty list mostly does.

    Attributes:
        model: The model that writes.
    """

    model: LanguageModel

    @property
    def key(self) -> Key:
        """How a model is asked counts, how plans are made does not."""
        code = code_version(_PRODUCT / "llm", Path(__file__), _HERE / "cases.py")
        name = model_name(self.model)
        return Key(contestant="single generation", model=name, settings="", code=code)

    def answer(self, case: Case, *, plain_too: bool = False) -> Answer:  # noqa: ARG002  it is plain
        """Have the calls written; see `Contestant.answer`."""
        started = time.perf_counter()
        try:
            [completion] = self.model.complete(_single(case))
            calls = tuple(
                Call(call["name"], call["arguments"]) for call in json.loads(completion.text)
            )
        except (OksoError, ValueError) as failure:
            return Answer(calls=(), duration_s=time.perf_counter() - started, error=str(failure))
        return Answer(
            calls=calls,
            duration_s=time.perf_counter() - started,
            prompt_tokens=completion.prompt_tokens,
            output_tokens=completion.output_tokens,
        )


def _single(case: Case) -> CompletionRequest:
    functions = "\n".join(json.dumps(function, ensure_ascii=False) for function in case.functions)
    told = "Answer with a JSON list of the function calls that fulfil the request."
    calls = [
        _closed({"name": {"const": function["name"]}, "arguments": closed(function["parameters"])})
        for function in case.functions
    ]
    return CompletionRequest(
        role="planner",
        messages=(
            Message("system", f"{told}\n\nFunctions:\n{functions}"),
            Message("user", case.request),
        ),
        seeds=(_SEED,),
        temperature=0,
        max_tokens=_MOST_TOKENS,
        schema={"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": _MOST_CALLS},
    )


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object's schema that allows the properties that it declares and no others."""
    return {"additionalProperties": False, **schema}


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return closed({"type": "object", "properties": dict(properties), "required": list(properties)})


class FunctionCalling:
    """llama-cpp-python's own function calling, in a process of its own.

    It is a dependency of this project, so that it runs in the same environment: same build of
    llama.cpp, same file.

    Args:
        gguf: The model file.
        model: Name of the model.
        context_tokens: Tokens of its context.
        threads: Threads of it.

    Raises:
        WorkerError: It cannot be started.
    """

    def __init__(self, gguf: Path, model: str, *, context_tokens: int, threads: int) -> None:
        self._setup = {"gguf": str(gguf), "context_tokens": context_tokens, "threads": threads}
        self._model = model
        self._worker = Worker("benchmarks.quality.run_function_calling", self._setup)

    @property
    def key(self) -> Key:
        """The library's version and how it is asked count."""
        own = code_version(_HERE / "run_function_calling.py", _HERE / "cases.py")
        code = f"{version('llama-cpp-python')} {own}"
        return Key(contestant="llama-cpp-python", model=self._model, settings="", code=code)

    def answer(self, case: Case, *, plain_too: bool = False) -> Answer:  # noqa: ARG002  it is plain
        """Have the functions called; see `Contestant.answer`.

        Raises:
            WorkerError: Its process ended.
        """
        tools = [{"type": "function", "function": function} for function in case.functions]
        answer = self._worker.ask({"messages": list(case.messages), "tools": tools})
        calls: tuple[Call, ...] = ()
        error = answer["error"]
        try:
            calls = tuple(Call(name, json.loads(text)) for name, text in answer["calls"])
        except ValueError as failure:
            error = f"arguments are no JSON: {failure}"
        return Answer(
            calls=calls,
            duration_s=answer["duration_s"],
            prompt_tokens=answer["prompt_tokens"],
            output_tokens=answer["output_tokens"],
            error=error,
        )

    def close(self) -> None:
        """End its process."""
        self._worker.close()


def model_name(model: LanguageModel) -> str:
    """Return a model's name and the beginning of its hash."""
    identity = model.identity
    return f"{identity.name} {identity.sha256[:12]}".strip()
