"""Deadline: how long one planning call may take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from okso_jupyter.errors import PlanningTimeoutError
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.planning.environment import Environment

#: What is asked after the time is up: the least that a request can say.
_AT_ONCE_S: Final = 1e-3
#: A model that has written something may take so long to hand it over when the time is up.
_HANDING_OVER_S: Final = 10.0
_WAY_OUT: Final = "raise PLAN_PLANNING_TIMEOUT_S (0 is none), or sample fewer plans"


class Deadline:
    """The time of one planning call, from now on.

    When it is up, finished candidates are enough. Where there is none yet, the first one may take
    as long again: a slow machine gives a plan late rather than none. Then the model hands over what
    it has written, and where that holds no finished step, it is an error.

    Args:
        limit_s: PLAN_PLANNING_TIMEOUT_S; 0 is none.
        tell: Told how far sampling is; what it raises ends the call.
        environment: Has the last word on whether there is time left.

    Attributes:
        has_plan: Whether a plan is there already; then nothing may take longer.
        has_steps: Whether the beginning of one is.
    """

    def __init__(
        self,
        limit_s: float,
        tell: Callable[[Sampling], None] | None = None,
        environment: Environment | None = None,
    ) -> None:
        self.limit_s = limit_s
        self._outside = environment or Environment()
        self.has_plan = False
        self.has_steps = False
        self._tell = tell
        self._started = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds that the call has taken."""
        return time.monotonic() - self._started

    @property
    def left_s(self) -> float:
        """Seconds until finished candidates are enough, above 0; 0 where there is no limit."""
        return max(self.limit_s - self.elapsed_s, _AT_ONCE_S) if self.limit_s else 0.0

    @property
    def drafts_after_s(self) -> float:
        """Seconds until unfinished candidates are taken, above 0; 0 where there is no limit."""
        left_s = self._allowed_s - self.elapsed_s
        return max(left_s, _AT_ONCE_S) if self.limit_s else 0.0

    @property
    def _allowed_s(self) -> float:
        return self.limit_s * (1 if self.has_plan else 2)

    def in_time(self) -> bool:
        """Say whether there is time left."""
        is_by_clock = not self.limit_s or self.elapsed_s < self.limit_s
        return self._outside.is_in_time(is_by_clock=is_by_clock)

    def hear(self, sampling: Sampling) -> None:
        """Take in how far a model is, and tell.

        Raises:
            PlanningTimeoutError: The time is up, and as long again where there is no plan yet; and
                there is nothing that the model could hand over, or it does not.
        """
        has_begun = sampling.output_tokens > 0 or (self.has_steps and not self.has_plan)
        grace_s = _HANDING_OVER_S if has_begun else 0.0
        if self.limit_s and self.elapsed_s > self._allowed_s + grace_s:
            raise too_late(self.limit_s)
        if self._tell is not None:
            self._tell(sampling)


def too_late(limit_s: float) -> PlanningTimeoutError:
    """Return the error for a time that was up before a plan, or a step of one, was finished.

    Args:
        limit_s: PLAN_PLANNING_TIMEOUT_S.
    """
    msg = (
        f"no plan was finished within PLAN_PLANNING_TIMEOUT_S ({limit_s:g} s), "
        "nor within as long again"
    )
    return PlanningTimeoutError(msg, hint=_WAY_OUT)
