"""What a planner's prompt leaves out where it is too long for the model: the least useful first.

0. What a search of the web found.
1. The end of long values of the notebook.
2. Example plans, the farthest first; the nearest one stays.
3. Arguments, descriptions beyond a few words and safety notes of the tools that fit worst.
4. Those tools altogether. The tools that fit stay, and the model may choose no other.
5. The nearest example plan.
6. The same as 3 for the tools that fit.
7. The end of a long feedback.

The request itself is never cut: a plan for half of it would be a plan for something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

#: Characters that are left of a feedback, one attempt after the other.
_FEEDBACK_CHARS: Final = (1000, 200)
#: The same of the values that the request names.
_VALUE_CHARS: Final = (1000, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How much of everything a prompt may hold.

    Attributes:
        examples: Example plans, the nearest ones.
        described: Tools with their arguments and full description, the best fitting ones.
        listed: Tools that are there at all, the best fitting ones.
        feedback_chars: Characters of the feedback, its first ones.
        web: Whether it holds what a search of the web found.
        value_chars: Characters of the values that the request names, their first ones.
    """

    examples: int
    described: int
    listed: int
    feedback_chars: int
    web: bool = False
    value_chars: int = 0

    def missing_from(self, whole: Allowance) -> tuple[str, ...]:
        """Return in words what is left out of all that there is; nothing for all of it."""
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
    """Yield everything, then ever less, in the order of this module's docstring.

    Args:
        whole: All that there is.
        fitting: How many of the tools fit the request.
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
    """Yield half of it, half of that and so on, down to the least."""
    while whole > least:
        whole = max(whole // 2, least)
        yield whole
