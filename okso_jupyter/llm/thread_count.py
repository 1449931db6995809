"""Choice of the number of threads, by measurements on the work itself.

The number of threads never changes a result (see `weights`), so the counts are tried on real
batches and nothing is computed twice. Two threads are nearly twice as fast on an idle machine of
two processors, and several times slower than one when other programs keep both of them busy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: Batches that every count computes before the choice.
_ROUNDS: Final = 3
#: A count that is this many times slower than the best is dropped after its first batch.
_HOPELESS: Final = 2.0
#: Recent batches whose rate is compared with the rate at the choice.
_RECENT: Final = 6
#: A new choice is made when the rate leaves this range of the rate at the choice.
_LEAST_SHARE: Final = 0.75
_MOST_SHARE: Final = 1.4
#: Batches after which a new choice is made in any case; doubled while it stays the same.
_FIRST_TERM: Final = 64
_LAST_TERM: Final = 1024


@dataclass(slots=True)
class _Tally:
    """Work done with one thread count: tokens and seconds."""

    tokens: int = 0
    duration_s: float = 0.0
    batches: int = 0

    def add(self, tokens: int, duration_s: float) -> None:
        self.tokens += tokens
        self.duration_s += duration_s
        self.batches += 1

    @property
    def rate(self) -> float:
        """Tokens per second; 0 if no work was done."""
        return self.tokens / self.duration_s if self.duration_s else 0.0


class ThreadChoice:
    """Tries every count on a few batches, keeps the fastest, and tries again when the rate changes.

    Args:
        counts: The counts to choose from; a single one is used without trials.
    """

    def __init__(self, counts: Sequence[int]) -> None:
        self._counts = tuple(counts)
        self._term = _FIRST_TERM
        self.best = self._counts[0]
        self._try_all()

    def count(self) -> int:
        """Return the thread count for the next batch."""
        return min(self._trial, key=lambda count: self._trial[count].batches, default=self.best)

    def took(self, count: int, tokens: int, duration_s: float) -> None:
        """Record how many seconds a batch took with a count."""
        if len(self._counts) == 1:
            return
        if self._trial:
            self._trial[count].add(tokens, duration_s)
            self._judge()
        else:
            self._watch(tokens, duration_s)

    def _try_all(self) -> None:
        self._trial = {count: _Tally() for count in self._counts if len(self._counts) > 1}

    def _judge(self) -> None:
        """Drop counts that are far too slow, and choose once the others have had their rounds."""
        if any(tally.batches == 0 for tally in self._trial.values()):
            return
        top = max(tally.rate for tally in self._trial.values())
        self._trial = {
            count: tally for count, tally in self._trial.items() if tally.rate * _HOPELESS > top
        }
        if len(self._trial) == 1 or all(t.batches >= _ROUNDS for t in self._trial.values()):
            self._choose()

    def _choose(self) -> None:
        best = max(self._trial, key=lambda count: self._trial[count].rate)
        self._term = min(self._term * 2, _LAST_TERM) if best == self.best else _FIRST_TERM
        self.best = best
        self._rate = self._trial[best].rate
        self._since = 0
        self._recent: list[tuple[int, float]] = []
        self._trial = {}

    def _watch(self, tokens: int, duration_s: float) -> None:
        """Start another trial when the rate has changed, or after a number of batches."""
        self._since += 1
        self._recent = [*self._recent, (tokens, duration_s)][-_RECENT:]
        recent = _Tally(
            sum(tokens for tokens, _ in self._recent), sum(spent for _, spent in self._recent)
        )
        share = recent.rate / self._rate
        changed = len(self._recent) == _RECENT and not _LEAST_SHARE <= share <= _MOST_SHARE
        if changed or self._since >= self._term:
            self._try_all()


def counts_to_try(processors: int) -> tuple[int, ...]:
    """Return the counts to try: powers of two below the number of processors, and that number."""
    powers = []
    count = 1
    while count < processors:
        powers.append(count)
        count *= 2
    return (*powers, processors)
