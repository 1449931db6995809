"""LlamaModel: several constrained completions of one prompt, in one batch, in this process.

All completions share the prompt's state: it is computed once, forked, and decoded together.
llguidance says which tokens the schema allows and which it forces; forced ones are appended
without sampling. Every completion draws from a random stream of its own, so it does not depend
on how many others there are.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

import llguidance
import llguidance.llamacpp
import numpy as np

from okso_jupyter.errors import ModelError, ModelInputError
from okso_jupyter.llm.downloads import sha256_of
from okso_jupyter.llm.protocol import Completion, CompletionRequest, ModelIdentity
from okso_jupyter.llm.specs import find_weights
from okso_jupyter.llm.weights import BatchToken, Weights

Logits = np.ndarray[Any, np.dtype[np.float32]]

#: Completions that are decoded side by side; more are done in rounds.
_LANES: Final = 8
_PROMPT_LANE: Final = 0
#: Fewest tokens that are worth starting a completion for.
_LEAST_TOKENS: Final = 64


class LlamaModel:
    """A GGUF file run by llama.cpp in this process.

    Args:
        spec: What `find_weights` takes.
        context_tokens: Tokens that prompt and completions may have together.
        threads: Threads to compute with; None takes half of the processors.
        revision: Branch, tag or commit of a spec on the hub.
        home: OKSO_HOME, below which downloads are kept.

    Raises:
        ModelUnavailableError: The weights are missing or cannot be loaded.
    """

    def __init__(
        self,
        spec: str,
        *,
        context_tokens: int,
        threads: int | None = None,
        revision: str = "main",
        home: Path | None = None,
    ) -> None:
        path = find_weights(spec, revision=revision, home=home)
        self._weights = Weights(
            path,
            context_tokens=context_tokens,
            max_sequences=_LANES + 1,
            threads=threads or max(1, (os.cpu_count() or 2) // 2),
        )
        self._tokenizer = llguidance.llamacpp.lltokenizer_from_vocab(self._weights.vocab)
        self._held: list[int] = []
        self._lock = threading.Lock()
        self._identity = ModelIdentity(
            spec=spec,
            name=self._weights.name,
            sha256=sha256_of(path),
            build=f"llama-cpp-python {version('llama-cpp-python')}, "
            f"llguidance {version('llguidance')}",
            context_tokens=self._weights.context_tokens,
            threads=self._weights.threads,
        )

    @property
    def identity(self) -> ModelIdentity:
        """Which model this is."""
        return self._identity

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return one completion per seed; see `LanguageModel.complete`."""
        with self._lock:
            self._weights.check_open()
            try:
                return self._complete(request)
            except BaseException:
                # Stopped half way: what the context holds is no longer known.
                self._weights.forget_all()
                self._held = []
                raise

    def close(self) -> None:
        """Free the model."""
        with self._lock:
            self._weights.close()

    def _complete(self, request: CompletionRequest) -> list[Completion]:
        started = time.monotonic()
        prompt = self._weights.render(request.messages)
        tokens = self._weights.tokenize(prompt)
        most_tokens = self._room_per_lane(tokens, request)
        constraint = self._constraint(request)
        cached = self._common_prefix(tokens)
        completions: list[Completion] = []
        for first in range(0, len(request.seeds), _LANES):
            logits = self._hold(tokens)
            lanes = [
                _Lane(number, seed, most_tokens, request, constraint)
                for number, seed in enumerate(request.seeds[first : first + _LANES], start=1)
            ]
            self._decode_lanes(lanes, logits, len(tokens), started)
            completions += [lane.completion(prompt, len(tokens), cached) for lane in lanes]
        return completions

    def _room_per_lane(self, tokens: list[int], request: CompletionRequest) -> int:
        """Return how many tokens each completion may have, so that all fit side by side."""
        lanes = min(len(request.seeds), _LANES)
        room = (self._weights.context_tokens - len(tokens)) // lanes
        if room < min(request.max_tokens, _LEAST_TOKENS):
            msg = (
                f"the prompt has {len(tokens)} tokens, the context of {self._weights.name} "
                f"{self._weights.context_tokens}: too little is left for {lanes} completion(s)"
            )
            hint = "shorten the request, or raise LLAMA_DEFAULT_CONTEXT_SIZE"
            raise ModelInputError(msg, hint=hint)
        return min(request.max_tokens, room)

    def _constraint(self, request: CompletionRequest) -> llguidance.LLMatcher | None:
        if request.schema is None:
            return None
        compiler = llguidance.JsonCompiler(separators=(",", ":"), whitespace_flexible=False)
        try:
            grammar = compiler.compile(json.dumps(request.schema))
        except ValueError as error:
            msg = f"the schema cannot be enforced: {error}"
            raise ModelError(msg) from error
        matcher = llguidance.LLMatcher(self._tokenizer, grammar)
        if matcher.is_error():
            msg = f"the schema cannot be enforced: {matcher.get_error()}"
            raise ModelError(msg)
        return matcher

    def _common_prefix(self, tokens: list[int]) -> int:
        """Return how many tokens the context holds already, the last one left out.

        The last token is always decoded, since its logits are wanted.
        """
        same: int = 0
        for held, wanted in zip(self._held, tokens[:-1], strict=False):
            if held != wanted:
                break
            same += 1
        return same

    def _hold(self, tokens: list[int]) -> Logits:
        """Bring the prompt into the first sequence and return the logits at its end."""
        kept = self._common_prefix(tokens)
        self._weights.forget(_PROMPT_LANE, from_position=kept)
        rest = [
            BatchToken(token, position, _PROMPT_LANE, wants_logits=position == len(tokens) - 1)
            for position, token in enumerate(tokens[kept:], start=kept)
        ]
        self._held = tokens[:kept]
        logits = self._weights.decode(rest)
        self._held = tokens
        return logits[_PROMPT_LANE]

    def _decode_lanes(
        self, lanes: list[_Lane], logits: Logits, position: int, started: float
    ) -> None:
        """Decode all lanes together until each is done."""
        for lane in lanes:
            self._weights.fork(_PROMPT_LANE, lane.number)
            lane.position = position
        rows = {lane.number: logits for lane in lanes}
        active = lanes
        while active:
            batch: list[BatchToken] = []
            for lane in active:
                batch += lane.advance(rows[lane.number], self._weights)
                if lane.done:
                    lane.duration_s = time.monotonic() - started
            active = [lane for lane in active if not lane.done]
            rows = self._weights.decode(
                [item for item in batch if item.sequence in {lane.number for lane in active}]
            )
        # Only now: a place freed earlier would be taken by another lane's next token, and sums
        # over tokens in another order round differently, so that texts would depend on N.
        for lane in lanes:
            self._weights.forget(lane.number)


class _Lane:
    """One completion on its way."""

    def __init__(
        self,
        number: int,
        seed: int,
        most_tokens: int,
        request: CompletionRequest,
        constraint: llguidance.LLMatcher | None,
    ) -> None:
        self.number = number
        self.position = 0
        self.done = False
        self.duration_s = 0.0
        self._seed = seed
        self._most_tokens = most_tokens
        self._request = request
        self._matcher = constraint.deep_copy() if constraint else None
        self._random = np.random.Generator(np.random.Philox(seed))
        self._tokens: list[int] = []
        self._data = b""
        self._finish: Literal["stop", "length"] = "stop"

    def advance(self, logits: Logits, weights: Weights) -> list[BatchToken]:
        """Choose the next token, add what the schema forces, and return what is to decode."""
        new = self._forced() if not self._tokens else []
        if not new:
            token = self._choose(logits)
            if weights.is_end(token):
                self.done = True
                return []
            new = [token, *self._forced()]
        room = self._most_tokens - len(self._tokens)
        if len(new) > room:
            new, self.done, self._finish = new[:room], True, "length"
        self._tokens += new
        self._data += b"".join(weights.piece(token) for token in new)
        if self._matcher is not None and self._matcher.is_stopped():
            self.done = True
        batch = [
            BatchToken(token, self.position + place, self.number, place == len(new) - 1)
            for place, token in enumerate(new)
        ]
        self.position += len(new)
        return batch

    def _choose(self, logits: Logits) -> int:
        """Draw a token that the schema allows, and tell the matcher."""
        if self._matcher is not None:
            allowed = np.unpackbits(
                np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8), bitorder="little"
            )[: len(logits)]
            logits = np.where(allowed.astype(bool), logits, -np.inf)
        token = self._draw(logits)
        if self._matcher is not None and not self._matcher.consume_token(token):
            msg = f"the schema was lost: {self._matcher.get_error()}"
            raise ModelError(msg)
        return token

    def _draw(self, logits: Logits) -> int:
        hot = self._request.hot
        temperature = self._request.temperature
        if hot is not None and not hot.search(self._data.decode("utf-8", errors="replace")):
            temperature = 0.0
        if temperature <= 0:
            return int(np.argmax(logits))
        scaled = np.exp((logits.astype(np.float64) - logits.max()) / temperature)
        return int(np.searchsorted(np.cumsum(scaled), self._random.random() * scaled.sum()))

    def _forced(self) -> list[int]:
        """Return the tokens that the schema leaves no choice about."""
        if self._matcher is None or self._matcher.is_stopped():
            return []
        forced: list[int] = self._matcher.compute_ff_tokens()
        if forced:
            self._matcher.consume_tokens(forced)
        return forced

    def completion(self, prompt: str, prompt_tokens: int, cached_tokens: int) -> Completion:
        """Return what the lane came to."""
        return Completion(
            text=self._data.decode("utf-8", errors="replace"),
            seed=self._seed,
            prompt=prompt,
            prompt_tokens=prompt_tokens,
            cached_tokens=cached_tokens,
            output_tokens=len(self._tokens),
            duration_s=self.duration_s,
            finish=self._finish,
        )
