"""Budget of the planner's prompt: what to drop if it is too long, the least useful first.

0. The web search results.
1. The end of long notebook values.
2. Example plans, the least similar first; the most similar one stays.
3. Arguments, long descriptions and safety notes of the tools that fit worst.
4. Those tools altogether. The tools that fit stay, and the model may choose no other.
5. The most similar example plan.
6. The same as 3 for the tools that fit.
7. The end of a long feedback.

The request itself is never cut: a plan for half of it would be a plan for something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

#: Characters to which the feedback is cut, in successive attempts.
_FEEDBACK_CHARS: Final = (1000, 200)
#: The same for the values that the request names.
_VALUE_CHARS: Final = (1000, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How much of each part a prompt may hold.

    Attributes:
        examples: Number of example plans, the most similar ones.
        described: Number of tools with arguments and full description, the best matches.
        listed: Number of tools listed at all, the best matches.
        feedback_chars: Number of leading characters of the feedback.
        web: Whether to include the web search results.
        value_chars: Number of leading characters of the values that the request names.
    """

    examples: int
    described: int
    listed: int
    feedback_chars: int
    web: bool = False
    value_chars: int = 0

    def missing_from(self, whole: Allowance) -> tuple[str, ...]:
        """Return what this leaves out compared with the whole, in words; empty if nothing."""
        left_out = []
        if whole.web and not self.web:
            left_out.append("what the web says")
        if self.value_chars < whole.value_chars:
            cut = whole.value_chars - self.value_chars
            left_out.append(f"the last {cut} characters of the notebook's values")
        if self.examples < whole.examples:
            left_out.append(f"{whole.examples - self.examples} of {whole.examples} example plans")
        if self.listed < whole.listed:
            left_out.append(f"{whole.listed - self.listed} of {whole.listed} tools")
        if self.described < self.listed:
            left_out.append(f"the details of {self.listed - self.described} tools")
        if self.feedback_chars < whole.feedback_chars:
            cut = whole.feedback_chars - self.feedback_chars
            left_out.append(f"the last {cut} characters of the feedback")
        return tuple(left_out)


def allowances(whole: Allowance, fitting: int) -> Iterator[Allowance]:
    """Yield the whole, then ever smaller allowances, in the order of this module's docstring.

    Args:
        whole: The allowance for everything.
        fitting: Number of tools that fit the request.
    """
    now = whole
    yield now
    if whole.web:
        yield (now := replace(now, web=False))
    for value_chars in _VALUE_CHARS:
        if value_chars < whole.value_chars:
            yield (now := replace(now, value_chars=value_chars))
    for examples in range(whole.examples - 1, 0, -1):
        yield (now := replace(now, examples=examples))
    for described in _halves(whole.described, fitting):
        yield (now := replace(now, described=described))
    for listed in _halves(whole.listed, fitting):
        yield (now := replace(now, listed=listed))
    if whole.examples:
        yield (now := replace(now, examples=0))
    yield (now := replace(now, described=0))
    for feedback_chars in _FEEDBACK_CHARS:
        if feedback_chars < whole.feedback_chars:
            yield (now := replace(now, feedback_chars=feedback_chars))


def _halves(whole: int, least: int) -> Iterator[int]:
    """Yield half of `whole`, half of that and so on, down to `least`."""
    while whole > least:
        whole = max(whole // 2, least)
        yield whole
