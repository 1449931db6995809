"""LlamaModel: several constrained completions of one prompt, in one batch, in this process.

The prompt is computed once, its fixed beginning once per machine, and not at all where the schema
determines the text. Then all completions are decoded together, and equal beginnings of completions
once (see `prefix_tree`). Decoding runs in its own thread, so that the caller's thread can be
interrupted and can show the progress.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import llguidance

from okso_jupyter.errors import ModelError, ModelInputError, ModelUnavailableError
from okso_jupyter.kernel import interrupt
from okso_jupyter.llm.context_size import ContextLimits, check_memory, context_for
from okso_jupyter.llm.decoding import Decoding
from okso_jupyter.llm.downloads import sha256_of
from okso_jupyter.llm.file_holes import zeroed_bytes
from okso_jupyter.llm.gguf import read_shape
from okso_jupyter.llm.memory import measure
from okso_jupyter.llm.prefix_tree import Branch, Lane, unenforceable
from okso_jupyter.llm.progress import ProgressMeter
from okso_jupyter.llm.prompt_memory import PromptMemory
from okso_jupyter.llm.prompt_states import PromptStates
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Message, ModelIdentity
from okso_jupyter.llm.requantized import requantized
from okso_jupyter.llm.specs import BUNDLED, find_weights
from okso_jupyter.llm.thread_count import ThreadChoice, counts_to_try
from okso_jupyter.llm.weights import Weights, processor
from okso_jupyter.log import LOGGER

#: Completions decoded side by side; more are decoded in rounds.
_LANES: Final = 32
#: Fewest tokens for which starting a completion is worthwhile.
_LEAST_TOKENS: Final = 64
#: Folder of saved states in OKSO_HOME.
_STATES: Final = "prompt-states"
#: Folder of requantized weights in the user's cache.
_COPIES: Final = "weights"
#: Seconds between two progress reports.
_TICK_S: Final = 0.2
#: The JSON text that stands for "no schema".
_FREE: Final = "null"


class LlamaModel:
    """A GGUF file run by llama.cpp in this process.

    Args:
        spec: A spec that `find_weights` accepts.
        limits: Limits of the context; it grows when a call needs more.
        threads: Threads to compute with; None chooses by measuring.
        revision: Branch, tag or commit of a spec on the hub.
        home: OKSO_HOME, the folder of downloads and saved prompt states; None keeps the latter in
            memory only.
        cache: Folder for a faster copy of the bundled weights; None uses them as they were
            packaged.

    Raises:
        ModelUnavailableError: The weights are missing or cannot be loaded.
    """

    def __init__(  # noqa: PLR0913  all but the first are named at every call
        self,
        spec: str,
        *,
        limits: ContextLimits,
        threads: int | None = None,
        revision: str = "main",
        home: Path | None = None,
        cache: Path | None = None,
    ) -> None:
        path = find_weights(spec, revision=revision, home=home)
        if spec == BUNDLED and cache:
            path = requantized(path, cache / _COPIES)
        self._shape = read_shape(path)
        trained = self._shape.trained_tokens or limits.default_tokens
        check_memory(min(limits.default_tokens, trained), self._shape, measure())
        choice = ThreadChoice([threads] if threads else counts_to_try(os.cpu_count() or 1))
        with interrupt.deferred():  # weights not yet assigned would never be freed
            self._weights = Weights(
                path,
                context_tokens=limits.default_tokens,
                max_sequences=_LANES + 1,
                threads=choice,
            )
        _warn_of_holes(path)
        self._limits = replace(limits, trained_tokens=self._weights.trained_tokens)
        self._tokenizer = self._weights.tokenizer()
        sha256 = sha256_of(path)
        build = f"llama-cpp-python {version('llama-cpp-python')}, {processor()}"
        states = PromptStates(folder=home / _STATES) if home else None
        self._memory = PromptMemory(self._weights, states, maker=[sha256, build])
        self._identity = ModelIdentity(
            spec=spec,
            name=self._weights.name,
            sha256=sha256,
            build=f"{build}, llguidance {version('llguidance')}",
            together=_LANES,
            weights_bytes=path.stat().st_size,
        )
        self._tokens_each = 0.0
        self._sound = True
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="okso-llama")

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is, its context, and the threads that it computes with now."""
        return replace(
            self._identity,
            context_tokens=self._weights.context_tokens,
            threads=self._weights.threads,
        )

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed; see `LanguageModel.complete`."""
        if not request.seeds:
            return []
        self._check_process()
        with self._alone():
            self._weights.check_open()
            self._recover()
            count = len(request.seeds)
            meter = ProgressMeter(
                count,
                expected_tokens=self._tokens_each * count,
                enough_after_s=request.enough_after_s,
                drafts_after_s=request.drafts_after_s,
            )
            self._sound = False
            try:
                work = self._pool.submit(self._complete, request, meter)
                completions = _watched(work, request, meter)
            except BaseException:
                self._weights.stop()
                self._recover()
                raise
            self._sound = True
            self._tokens_each = meter.tokens_each
            return completions

    def close(self) -> None:
        """Free the model."""
        with self._alone():
            self._pool.shutdown()
            self._weights.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Take exclusive use of the model; Stop is raised only where the caller waits.

        Raised elsewhere it would leave one of the pool's own locks taken for ever.
        """
        with interrupt.deferred():
            while not self._lock.acquire(timeout=_TICK_S):
                interrupt.raise_if_pending()
            try:
                yield
            finally:
                self._lock.release()

    def _recover(self) -> None:
        """Reset the model after a call that was interrupted; do nothing after a complete one.

        A repeated Stop ends this too: then the next call does it.
        """
        if self._sound:
            return
        wait([self._pool.submit(_nothing)])  # starts when the previous call has ended
        self._weights.go_on()
        self._memory.forget()
        self._sound = True

    def _check_process(self) -> None:
        """Raise ModelUnavailableError in a forked process, which lacks the decoding thread."""
        if os.getpid() != self._process:
            msg = f"model {self._weights.name!r} was loaded before this process was forked"
            hint = "start processes by spawn, and make a Session there"
            raise ModelUnavailableError(msg, hint=hint)

    def _complete(self, request: CompletionRequest, meter: ProgressMeter) -> list[Completion]:
        if not request.messages:
            msg = "the model is asked nothing: there are no messages"
            raise ModelError(msg)
        prompt = self._weights.render(request.messages)
        tokens = self._weights.tokenize(prompt)
        fixed = self._fixed(request.messages, tokens)
        most_tokens = self._room(tokens, request)
        constraints = self._constraints(request)
        known = self._memory.recall(tokens, fixed)
        meter.prompt(len(tokens), known)
        branches: list[Branch] = []
        lanes = [Lane(place, seed) for place, seed in enumerate(request.seeds)]
        for first in range(0, len(lanes), _LANES):
            roots = [
                Branch(
                    together,
                    request=request,
                    weights=self._weights,
                    matcher=constraint.deep_copy() if constraint else None,
                    start=len(tokens),
                    most_tokens=most_tokens,
                )
                for constraint, together in _alike(lanes[first : first + _LANES], constraints)
            ]
            reading = partial(self._memory.hold, tokens, fixed, meter.read)
            branches += Decoding(self._weights, len(tokens), meter).grow(roots, reading)
        cached = known if meter.has_read else len(tokens)
        return _in_order(branches, prompt=prompt, prompt_tokens=len(tokens), cached_tokens=cached)

    def _fixed(self, messages: Sequence[Message], tokens: Sequence[int]) -> int:
        """Return how many first tokens stay the same whatever follows the system message."""
        if len(messages) == 1 or messages[0].role != "system":
            return 0
        other = self._weights.render([messages[0], Message("user", "?")])
        same = 0
        for here, there in zip(tokens, self._weights.tokenize(other), strict=False):
            if here != there:
                break
            same += 1
        return same

    def _room(self, tokens: Sequence[int], request: CompletionRequest) -> int:
        """Return the most tokens of a completion; widen the context if they do not fit.

        The result depends on the call and the limits alone, not on the current size of the context.

        Raises:
            ModelInputError: The prompt leaves too few tokens for an answer.
        """
        size = context_for(len(tokens), request.max_tokens, self._limits)
        room = size.tokens - len(tokens)
        if room < min(request.max_tokens, _LEAST_TOKENS):
            msg = (
                f"the prompt has {len(tokens)} tokens, the context of {self._weights.name} "
                f"{size.tokens}: too little is left for an answer"
            )
            hint = "shorten the request, or raise LLAMA_CONTEXT_CAP"
            if size.tokens == self._weights.trained_tokens:
                hint = "shorten the request, or use a model that was trained for a longer context"
            raise ModelInputError(msg, hint=hint)
        if size.tokens > self._weights.context_tokens:
            check_memory(size.tokens, self._shape, measure())
            self._weights.widen(size.tokens)
            self._memory.forget()
        return min(request.max_tokens, room)

    def _constraints(self, request: CompletionRequest) -> list[llguidance.LLMatcher | None]:
        """Return the matcher of each completion; completions with the same schema share it."""
        texts = [_as_json(request.schema_of(place)) for place in range(len(request.seeds))]
        known = {text: self._constraint(text) for text in dict.fromkeys(texts)}
        return [known[text] for text in texts]

    def _constraint(self, schema: str) -> llguidance.LLMatcher | None:
        if schema == _FREE:
            return None
        compiler = llguidance.JsonCompiler(separators=(",", ":"), whitespace_flexible=False)
        try:
            grammar = compiler.compile(schema)
        except ValueError as error:
            raise unenforceable(error) from error
        matcher = llguidance.LLMatcher(self._tokenizer, grammar)
        if matcher.is_error():
            raise unenforceable(matcher.get_error())
        return matcher


def _as_json(schema: Mapping[str, Any] | None) -> str:
    try:
        return json.dumps(schema)
    except (ValueError, TypeError, RecursionError) as error:
        raise unenforceable(error) from error


def _alike(
    lanes: Sequence[Lane], constraints: Sequence[llguidance.LLMatcher | None]
) -> Iterator[tuple[llguidance.LLMatcher | None, list[Lane]]]:
    """Yield each matcher with the completions that obey its schema."""
    together: dict[int, list[Lane]] = {}
    for lane in lanes:
        together.setdefault(id(constraints[lane.place]), []).append(lane)
    for same in together.values():
        yield constraints[same[0].place], same


def _warn_of_holes(path: Path) -> None:
    """Warn where a part of a model's file is zero."""
    holes = zeroed_bytes(path)
    if holes:
        detail = f"{path.name}: {holes // 1024} kB are zero; compare its checksum"
        LOGGER.warning("the model's file may be damaged", extra={"detail": detail})


def _nothing() -> None:
    """Do nothing; used to wait for the jobs before it in the queue."""


def _watched(
    work: Future[list[Completion]], request: CompletionRequest, meter: ProgressMeter
) -> list[Completion]:
    """Wait for work in another thread and report its progress."""
    while not work.done():
        wait([work], timeout=_TICK_S)
        interrupt.raise_if_pending()
        if request.on_progress is not None:
            request.on_progress(meter.sampling())
    return work.result()


def _in_order(
    branches: Sequence[Branch], *, prompt: str, prompt_tokens: int, cached_tokens: int
) -> list[Completion]:
    """Return one completion per lane, in the order of the seeds; the first one read the prompt."""
    ends = sorted(
        ((lane, branch) for branch in branches for lane in branch.lanes),
        key=lambda end: end[0].place,
    )
    return [
        Completion(
            text=branch.text,
            seed=lane.seed,
            prompt=prompt,
            prompt_tokens=prompt_tokens,
            cached_tokens=prompt_tokens if number else cached_tokens,
            output_tokens=len(branch.tokens),
            duration_s=branch.duration_s,
            finish=branch.finish,
            log_likelihood=branch.log_likelihood,
        )
        for number, (lane, branch) in enumerate(ends)
    ]
