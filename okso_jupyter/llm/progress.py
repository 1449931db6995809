"""ProgressMeter: counts the tokens of a call; one thread writes, another reads."""

from __future__ import annotations

import time

from okso_jupyter.llm.protocol import Sampling


class ProgressMeter:
    """Progress of a call.

    Args:
        completions: Completions that were requested.
        expected_tokens: Tokens that they are likely to have; 0 if unknown.
        enough_after_s: Seconds after which finished completions are enough; 0 is never.
        drafts_after_s: Seconds after which unfinished ones are returned too; 0 is never.

    Attributes:
        whole: Completions that ended by themselves.
        has_read: Whether any of the prompt had to be read.
    """

    def __init__(
        self,
        completions: int,
        expected_tokens: float = 0.0,
        enough_after_s: float = 0.0,
        drafts_after_s: float = 0.0,
    ) -> None:
        self.whole = 0
        self.has_read = False
        self._drafts_after_s = drafts_after_s
        self._expected_tokens = expected_tokens
        self._enough_after_s = enough_after_s
        self._started = time.monotonic()
        self._writing_since = self._started
        self._completions = completions
        self._done = 0
        self._prompt_tokens = 0
        self._prompt_done = 0
        self._output_tokens = 0

    @property
    def tokens_each(self) -> float:
        """Tokens written per requested completion."""
        return self._output_tokens / self._completions

    @property
    def elapsed_s(self) -> float:
        """Seconds since the call began."""
        return time.monotonic() - self._started

    @property
    def is_late(self) -> bool:
        """Whether the soft limit is reached: finished completions are enough."""
        return 0 < self._enough_after_s < self.elapsed_s

    @property
    def is_over(self) -> bool:
        """Whether the hard limit is reached, even if no completion is finished."""
        return 0 < self._drafts_after_s < self.elapsed_s

    def prompt(self, tokens: int, known: int) -> None:
        """Record the length of the prompt, and how many of its tokens need not be read."""
        self._prompt_tokens, self._prompt_done = tokens, known

    def read(self, tokens: int) -> None:
        """Record that more tokens of the prompt were read."""
        self._prompt_done += tokens
        self.has_read = True
        self._writing_since = time.monotonic()

    def wrote(self, tokens: int, finished: int) -> None:
        """Record new output tokens, and the number of newly finished completions."""
        self._output_tokens += tokens
        self._done += finished

    def sampling(self) -> Sampling:
        """Return the current progress of the call."""
        now = time.monotonic()
        writing_s = now - self._writing_since
        tokens_per_s = self._output_tokens / writing_s if writing_s > 0 else 0.0
        return Sampling(
            prompt_tokens=self._prompt_tokens,
            prompt_done=self._prompt_done,
            completions=self._completions,
            completions_done=self._done,
            output_tokens=self._output_tokens,
            elapsed_s=now - self._started,
            tokens_per_s=tokens_per_s,
            left_s=self._left_s(tokens_per_s),
        )

    def _left_s(self, tokens_per_s: float) -> float | None:
        """Return the seconds likely left, estimated from an earlier call; None if unknown."""
        left_tokens = self._expected_tokens - self._output_tokens
        if not tokens_per_s or left_tokens <= 0:
            return None
        return left_tokens / tokens_per_s
