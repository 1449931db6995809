"""How time grows with the number of candidates, of tools, and with the length of the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from benchmarks.comparison import Question, question
from benchmarks.conditions import Conditions
from benchmarks.figures import paired_ratio, spread
from benchmarks.report import Row
from benchmarks.workers import Worker

#: Few enough for 8 candidates behind the longest prompt to fit into the default context.
_TOKENS: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """One quantity that grows.

    Attributes:
        name: A word for file names.
        label: What it is, for the axis of a plot.
        points: Its values.
        ask: Returns the question for a round's number and a value.
    """

    name: str
    label: str
    points: tuple[int, ...]
    ask: Callable[[int, int], Question]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What was measured at one point of a curve.

    Attributes:
        at: Its value.
        duration_s: Seconds, one per round.
        prompt_tokens: Tokens of the prompt.
        tokens: Tokens that were written, over all candidates and rounds.
    """

    at: int
    duration_s: tuple[float, ...]
    prompt_tokens: int
    tokens: int


def curves(conditions: Conditions) -> tuple[Curve, ...]:
    """Return what is varied, with fewer points where it is to be quick."""
    step = 2 if conditions.quick else 1
    samples = conditions.samples
    return (
        Curve(
            name="candidates", label="candidates", points=(1, 2, 4, 8, 16)[::step],
            ask=lambda number, n: question(number, n, max_tokens=_TOKENS),
        ),
        Curve(
            name="tools", label="tools", points=(4, 8, 12, 24, 48)[::step],
            ask=lambda number, n: question(number, samples, tool_count=n, max_tokens=_TOKENS),
        ),
        Curve(
            name="prompt", label="words added", points=(0, 100, 200, 400, 800)[::step],
            ask=lambda number, n: question(number, samples, filler_words=n, max_tokens=_TOKENS),
        ),
    )  # fmt: skip


def measure(conditions: Conditions) -> tuple[list[Row], dict[Curve, list[Point]]]:
    """Measure every curve in rounds.

    Raises:
        WorkerError: The model could not be asked.
    """
    measured = {}
    numbers = count(1)
    with conditions.own_worker("growth", LLAMA_THREADS=conditions.threads) as worker:
        for curve in curves(conditions):
            measured[curve] = _points(curve, worker, conditions.repeat, numbers)
    rows = [row for curve, points in measured.items() for row in _rows(curve, points)]
    return rows, measured


def _points(curve: Curve, worker: Worker, repeat: int, numbers: Iterator[int]) -> list[Point]:
    answers: dict[int, list[dict[str, float]]] = {at: [] for at in curve.points}
    for _ in range(repeat):
        for at in curve.points:
            answers[at].append(worker.ask(curve.ask(next(numbers), at).as_ask("")))
    return [
        Point(
            at=at,
            duration_s=tuple(answer["duration_s"] for answer in found),
            prompt_tokens=int(found[-1]["prompt_tokens"]),
            tokens=int(sum(answer["tokens"] for answer in found)),
        )
        for at, found in answers.items()
    ]


def _rows(curve: Curve, points: Sequence[Point]) -> list[Row]:
    first = points[0]
    return [
        Row(
            section=f"growth with {curve.label}",
            what=f"{point.at} {curve.label}",
            value=spread(point.duration_s),
            unit="s",
            ratio=paired_ratio(point.duration_s, first.duration_s) if point is not first else None,
            against=f"{first.at}" if point is not first else "",
            note=f"prompt of {point.prompt_tokens} tokens, "
            f"{point.tokens / len(point.duration_s):.0f} tokens written, "
            f"{_rate(point):.0f} tokens/s in all",
        )
        for point in points
    ]


def _rate(point: Point) -> float:
    return point.tokens / sum(point.duration_s)
