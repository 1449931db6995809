"""Prefix tree: completions of one prompt share a branch as far as they are equal.

Completions with the same tokens so far are the same computation, so they share one sequence until
their draws differ; then it is forked. Every completion draws from its own random stream, so its
text does not depend on the other completions.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from typing import Any, Final, Self

import llguidance
import numpy as np

from okso_jupyter.errors import ModelError
from okso_jupyter.llm.protocol import CompletionRequest, Finish
from okso_jupyter.llm.weights import BatchToken, Logits, Weights

#: Separates the message of llguidance from its inner state.
_STATE: Final = "<state>"
_SIMPLER: Final = "use simpler keywords in the parameters of the tools"


class Lane:
    """One completion that is being written.

    Args:
        place: Its index among the completions of the call.
        seed: Seed of its random stream.
    """

    def __init__(self, place: int, seed: int) -> None:
        self.place = place
        self.seed = seed
        self.random = np.random.Generator(np.random.Philox(seed))


class Branch:
    """Completions whose tokens are the same so far.

    Args:
        lanes: The completions.
        request: What to complete.
        weights: The model; maps a token to its bytes.
        matcher: Computes the tokens that the schema allows; None if there is no schema.
        start: Position of the first token after the prompt.
        most_tokens: Most tokens of a completion.

    Attributes:
        sequence: Number of its sequence in the model's context.
        undecoded: Tokens that the model has not decoded yet.
        done: Whether the completions are finished.
        finish: How they ended.
        duration_s: Seconds from the start of the call to the end; set by the caller.
        log_likelihood: Logarithm of the probability of the drawn tokens at temperature 1, among
            those that the schema allows; a token that the schema forces is certain.
    """

    def __init__(  # noqa: PLR0913  what a branch is made of
        self,
        lanes: Sequence[Lane],
        *,
        request: CompletionRequest,
        weights: Weights,
        matcher: llguidance.LLMatcher | None,
        start: int,
        most_tokens: int,
    ) -> None:
        self.lanes = list(lanes)
        self.sequence = 0
        self.done = False
        self.finish: Finish = "stop"
        self.duration_s = 0.0
        self.log_likelihood = 0.0
        self.tokens: list[int] = []
        self._data = b""
        self._request = request
        self._weights = weights
        self._matcher = matcher
        self._start = start
        self.most_tokens = most_tokens
        self.undecoded: list[BatchToken] = []

    @property
    def text(self) -> str:
        """The text so far, without a last character of which bytes are missing."""
        decoder = getincrementaldecoder("utf-8")(errors="replace")
        return decoder.decode(self._data, final=self.finish == "stop")

    def begin(self) -> None:
        """Add the tokens that the schema forces at the start."""
        self._add(self._forced())

    def grow(self, logits: Logits, new_sequence: Callable[[], int]) -> list[Self]:
        """Draw the next token of every completion; return the branches that result.

        Args:
            logits: Logits at the last token.
            new_sequence: Returns the number of an unused sequence.
        """
        allowed = self._allowed(logits)
        draws, total = self._draws(allowed), _log_total(allowed)
        self.undecoded = []
        first, *others = draws.values()
        branches = [self, *(self._fork(lanes, new_sequence()) for lanes in others)]
        self.lanes = first
        for branch, token in zip(branches, draws, strict=True):
            branch.log_likelihood += float(allowed[token]) - total
            branch._take(token)  # noqa: SLF001  of its own class
        return branches

    def give_up(self, duration_s: float) -> None:
        """End the completions as they are, because the time is up."""
        self.done, self.finish, self.duration_s = True, "time", duration_s

    def rewind(self) -> None:
        """Mark all tokens as undecoded: the model has dropped them."""
        self.undecoded = self._batch(self.tokens, self._start)

    def _fork(self, lanes: list[Lane], sequence: int) -> Self:
        """Return a branch with the same tokens for some of the completions."""
        self._weights.fork(self.sequence, sequence)
        branch = type(self)(
            lanes,
            request=self._request,
            weights=self._weights,
            matcher=self._matcher.deep_copy() if self._matcher else None,
            start=self._start,
            most_tokens=self.most_tokens,
        )
        branch.sequence = sequence
        branch.tokens = [*self.tokens]
        branch.log_likelihood = self.log_likelihood
        branch._data = self._data  # noqa: SLF001  of its own class
        return branch

    def _take(self, token: int) -> None:
        """Add a drawn token and all tokens that the schema forces after it."""
        if self._weights.is_end(token):
            self.done = True
            return
        if self._matcher is not None:
            self._matcher.consume_token(token)
        self._add([token, *self._forced()])

    def _add(self, new: list[int]) -> None:
        room = self.most_tokens - len(self.tokens)
        if len(new) > room:
            new, self.done, self.finish = new[:room], True, "length"
        self.undecoded = self._batch(new, self._start + len(self.tokens))
        self.tokens += new
        self._data += b"".join(self._weights.piece(token) for token in new)
        if self._matcher is not None and self._matcher.is_stopped():
            self.done = True
            if not self._data:
                why = "no finite text satisfies it"
                raise unenforceable(why)

    def _batch(self, tokens: list[int], position: int) -> list[BatchToken]:
        return [
            BatchToken(token, position + place, self.sequence, place == len(tokens) - 1)
            for place, token in enumerate(tokens)
        ]

    def _allowed(self, logits: Logits) -> Logits:
        """Return the logits, minus infinity where the schema forbids a token."""
        if self._matcher is None:
            return logits
        bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        _check(self._matcher)
        allowed = np.unpackbits(bits, bitorder="little")[: len(logits)].astype(bool)
        masked: np.ndarray[Any, np.dtype[np.float32]] = np.where(allowed, logits, -np.inf)
        return masked

    def _draws(self, logits: Logits) -> dict[int, list[Lane]]:
        """Return the next tokens, each with the completions that drew it."""
        hot = self._request.hot
        temperature = self._request.temperature
        if temperature <= 0 or (hot is not None and not hot.search(self.text)):
            return {int(np.argmax(logits)): self.lanes}
        weights = np.cumsum(np.exp((logits.astype(np.float64) - logits.max()) / temperature))
        draws: dict[int, list[Lane]] = {}
        for lane in self.lanes:
            token = np.searchsorted(weights, lane.random.random() * weights[-1], side="right")
            draws.setdefault(int(token), []).append(lane)
        return draws

    def _forced(self) -> list[int]:
        """Return the tokens that the schema forces next.

        Raises:
            ModelError: llguidance gave up on the schema: it is infinite, or far too large.
        """
        if self._matcher is None:
            return []
        forced: list[int] = self._matcher.compute_ff_tokens()
        if forced:
            self._matcher.consume_tokens(forced)
        _check(self._matcher)
        return forced


def _log_total(logits: Logits) -> float:
    """Return the logarithm of the sum of the exponentials of all logits."""
    most = float(logits.max())
    finite = logits[logits > -np.inf].astype(np.float64)
    return most + float(np.log(np.exp(finite - most).sum()))


def _check(matcher: llguidance.LLMatcher) -> None:
    """Raise ModelError if llguidance gave up: it would accept the end of any text."""
    if matcher.is_error():
        raise unenforceable(matcher.get_error())


def unenforceable(why: object) -> ModelError:
    """Return the error for a schema that cannot be enforced.

    Args:
        why: The message of llguidance, often of several lines and followed by its state.
    """
    said = " ".join(str(why).partition(_STATE)[0].split())
    return ModelError(f"the schema cannot be enforced: {said}", hint=_SIMPLER)
