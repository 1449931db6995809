"""ProgressMeter: counts tokens of a call; one thread writes, another reads."""

from __future__ import annotations

import time

from okso_jupyter.llm.protocol import Sampling


class ProgressMeter:
    """What a call has done so far.

    Args:
        completions: Completions that were asked for.
        expected_tokens: Tokens that they will likely have; 0 where nobody knows.
        enough_after_s: Seconds after which finished completions are enough; 0 is never.
        drafts_after_s: Seconds after which unfinished ones are given back too; 0 is never.

    Attributes:
        whole: Completions that ended by themselves.
    """

    def __init__(
        self,
        completions: int,
        expected_tokens: float = 0.0,
        enough_after_s: float = 0.0,
        drafts_after_s: float = 0.0,
    ) -> None:
        self.whole = 0
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
        """Tokens written per completion that was asked for."""
        return self._output_tokens / self._completions

    @property
    def elapsed_s(self) -> float:
        """Seconds since the call began."""
        return time.monotonic() - self._started

    @property
    def is_late(self) -> bool:
        """Whether finished completions are enough by now."""
        return 0 < self._enough_after_s < self.elapsed_s

    @property
    def is_over(self) -> bool:
        """Whether the time is up although no completion may be finished."""
        return 0 < self._drafts_after_s < self.elapsed_s

    def prompt(self, tokens: int, known: int) -> None:
        """Take in how long the prompt is, and how much of it need not be read."""
        self._prompt_tokens, self._prompt_done = tokens, known

    def read(self, tokens: int) -> None:
        """Take in that more of the prompt was read."""
        self._prompt_done += tokens
        self._writing_since = time.monotonic()

    def wrote(self, tokens: int, finished: int) -> None:
        """Take in that completions have got longer, and some are done."""
        self._output_tokens += tokens
        self._done += finished

    def sampling(self) -> Sampling:
        """Return how far the call is now."""
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
        """Return how long it will likely take from here, going by an earlier call."""
        left_tokens = self._expected_tokens - self._output_tokens
        if not tokens_per_s or left_tokens <= 0:
            return None
        return left_tokens / tokens_per_s
