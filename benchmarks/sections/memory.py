"""What a candidate costs in memory: peak resident size of fresh processes with few and many."""

from __future__ import annotations

from typing import Final

from benchmarks.comparison import question
from benchmarks.conditions import Conditions
from benchmarks.figures import Spread, spread
from benchmarks.report import Row

_SECTION: Final = "memory"
_COUNTS: Final = (1, 8, 32)
_QUICK_COUNTS: Final = (1, 8)
_TOKENS: Final = 96
_MB: Final = 1e6


def measure(conditions: Conditions) -> list[Row]:
    """Measure the peak of a process for each number of candidates.

    Raises:
        WorkerError: The model could not be asked.
    """
    counts = _QUICK_COUNTS if conditions.quick else _COUNTS
    peaks: dict[int, list[float]] = {number: [] for number in counts}
    for turn in range(conditions.repeat):
        for number in counts:
            peaks[number].append(_peak_mb(conditions, turn, number))
    rows = [_row(f"peak with {n} candidate(s)", spread(peaks[n])) for n in counts]
    least, most = counts[0], counts[-1]
    each = [
        (high - low) / (most - least) for low, high in zip(peaks[least], peaks[most], strict=True)
    ]
    size = conditions.gguf.stat().st_size / _MB
    return [
        *rows,
        _row(f"for each candidate from {least} to {most}", spread(each)),
        _row("the model's file", Spread(size, size, size)),
    ]


def _peak_mb(conditions: Conditions, turn: int, number: int) -> float:
    home = f"memory-{turn}-{number}"
    with conditions.own_worker(home, LLAMA_THREADS=conditions.threads) as worker:
        answer = worker.ask(question(turn, number, max_tokens=_TOKENS).as_ask(""))
    return float(answer["peak_rss_bytes"]) / _MB


def _row(what: str, value: Spread) -> Row:
    return Row(section=_SECTION, what=what, value=value, unit="MB")
