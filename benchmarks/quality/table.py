"""What the answers come to: one row per category and contestant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import mean, median
from typing import Final

from benchmarks.figures import Spread, paired_ratio
from benchmarks.quality.answers import Judged
from okso_jupyter.audit.share_interval import share_interval

#: Right plans in percent that FunctionGemma-270M reports; twice the size, and trained for this.
ANCHOR: Final = {
    "simple_python": 61.6,
    "multiple": 63.5,
    "parallel": 39.0,
    "parallel_multiple": 29.5,
    "live_simple": 36.2,
    "live_multiple": 25.7,
    "irrelevance": 73.7,
}
#: Seconds per plan over seconds of the plain batch of candidates.
MOST_COST: Final = 1.5
_COLUMNS: Final = (
    "category", "who", "cases", "right %", "95 %", "anchor %", "tools %", "prompt tokens",
    "output tokens", "s", "no answer",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one contestant came to in one category.

    Attributes:
        category: The category.
        who: The contestant.
        cases: How many cases.
        right: Share of right plans with its interval, in percent.
        right_tools: Share of plans that call the right tools, in percent.
        prompt_tokens: Tokens of prompts per case, mean.
        output_tokens: Tokens written per case, mean.
        duration_s: Seconds per case, median.
        errors: Cases without an answer; they count as wrong.
    """

    category: str
    who: str
    cases: int
    right: Spread
    right_tools: float
    prompt_tokens: float
    output_tokens: float
    duration_s: float
    errors: int

    def cells(self) -> list[str]:
        """Return the texts of the row's columns."""
        anchor = ANCHOR.get(self.category)
        return [
            self.category,
            self.who,
            str(self.cases),
            f"{self.right.middle:.1f}",
            f"{self.right.low:.0f} to {self.right.high:.0f}",
            "" if anchor is None else f"{anchor:.1f}",
            f"{self.right_tools:.1f}",
            f"{self.prompt_tokens:.0f}",
            f"{self.output_tokens:.0f}",
            f"{self.duration_s:.2f}",
            str(self.errors or ""),
        ]


def rows(judged: Iterable[Judged]) -> list[Row]:
    """Return one row per category and contestant, in the order of their first answers."""
    groups: dict[tuple[str, str], list[Judged]] = {}
    for each in judged:
        groups.setdefault((each.case.category, each.key.contestant), []).append(each)
    found = [_row(category, who, members) for (category, who), members in groups.items()]
    order = list(dict.fromkeys(row.category for row in found))
    return sorted(found, key=lambda row: order.index(row.category))


def _row(category: str, who: str, members: Sequence[Judged]) -> Row:
    answers = [each.answer for each in members]
    return Row(
        category=category,
        who=who,
        cases=len(members),
        right=wilson(sum(each.verdict.right for each in members), len(members)),
        right_tools=100 * mean(each.verdict.right_tools for each in members),
        prompt_tokens=mean(answer.prompt_tokens for answer in answers),
        output_tokens=mean(answer.output_tokens for answer in answers),
        duration_s=median(answer.duration_s for answer in answers),
        errors=sum(bool(answer.error) for answer in answers),
    )


def wilson(right: float, cases: int) -> Spread:
    """Return a share in percent with its 95 % interval (Wilson's, which holds for few cases).

    Args:
        right: How many are right.
        cases: Of how many, at least one.
    """
    # there is at least one case, so that all three are known
    share, low, high = (value or 0.0 for value in share_interval(right, cases))
    # all or none of the cases are at an end of the interval, and beyond it by a rounding error
    return Spread(100 * share, 100 * min(low, share), 100 * max(share, high))


def as_text(found: Sequence[Row]) -> str:
    """Return the rows as aligned columns, a blank line between categories."""
    table = [list(_COLUMNS), *(row.cells() for row in found)]
    widths = [max(len(line[place]) for line in table) for place in range(len(_COLUMNS))]
    lines = [_aligned(line, widths) for line in table]
    parts = [lines[0]]
    for _, group in groupby(zip(found, lines[1:], strict=True), key=lambda pair: pair[0].category):
        parts.append("\n".join(line for _, line in group))
    return "\n\n".join(parts)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line: the two names to the left, figures to the right."""
    return "  ".join(
        cell.ljust(width) if place < 2 else cell.rjust(width)  # noqa: PLR2004  the two names
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()


def as_markdown(found: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [list(_COLUMNS), ["---"] * len(_COLUMNS), *(row.cells() for row in found)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cost(judged: Iterable[Judged]) -> str:
    """Return in words what a plan costs beside the plain batch of candidates of the same run."""
    pairs = [
        (each.answer.duration_s, each.answer.plain_s)
        for each in judged
        if each.answer.plain_s is not None
    ]
    if not pairs:
        return "cost: the plain batch of candidates was not measured"
    plans, plain = zip(*pairs, strict=True)
    ratio = paired_ratio(plans, plain)
    return (
        f"cost: {median(plans):.2f} s a plan, {median(plain):.2f} s its batch of candidates alone: "
        f"{ratio.middle:.2f} times ({ratio.low:.2f} to {ratio.high:.2f}, {len(pairs)} cases; "
        f"aim: at most {MOST_COST})"
    )


def without_answer(judged: Iterable[Judged]) -> list[str]:
    """Return for every category and contestant why cases have no answer, each with its reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in judged:
        if each.answer.error:
            reasons = groups.setdefault((each.case.category, each.key.contestant), [])
            reasons.append(f"  {each.case.name}: {each.answer.error}")
    return [
        "\n".join([f"without an answer: {len(reasons)} of {who} in {category}", *reasons])
        for (category, who), reasons in groups.items()
    ]
