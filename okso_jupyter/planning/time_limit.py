"""Deadline: the time limit of one planning call."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from okso_jupyter.errors import PlanningTimeoutError
from okso_jupyter.llm.protocol import Sampling
from okso_jupyter.planning.environment import Environment

#: Limit sent to the model once the time is up: 0 would mean no limit.
_AT_ONCE_S: Final = 1e-3
#: Extra time after the limit for a model that has written tokens to return them.
_HANDING_OVER_S: Final = 10.0
_WAY_OUT: Final = "raise PLAN_PLANNING_TIMEOUT_S (0 is none), or sample fewer plans"


class Deadline:
    """Time limit of one planning call, counted from construction.

    At the limit, the candidates finished so far are taken. If there are none, the first one may
    take as long again: a slow machine returns a plan late rather than none. Then the model returns
    its unfinished text, and if that holds no finished step, PlanningTimeoutError is raised.

    Args:
        limit_s: PLAN_PLANNING_TIMEOUT_S in seconds; 0 disables the limit.
        on_progress: Callback for sampling progress; an exception it raises ends the call.
        environment: Decides whether time is left; a replay decides as recorded.

    Attributes:
        has_plan: Whether a whole plan exists; then the limit is not doubled.
        has_steps: Whether the first steps of a plan exist.
    """

    def __init__(
        self,
        limit_s: float,
        on_progress: Callable[[Sampling], None] | None = None,
        environment: Environment | None = None,
    ) -> None:
        self.limit_s = limit_s
        self._outside = environment or Environment()
        self.has_plan = False
        self.has_steps = False
        self._on_progress = on_progress
        self._started = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start of the call."""
        return time.monotonic() - self._started

    @property
    def left_s(self) -> float:
        """Seconds until the finished candidates are taken, above 0; 0 if there is no limit."""
        return max(self.limit_s - self.elapsed_s, _AT_ONCE_S) if self.limit_s else 0.0

    @property
    def drafts_after_s(self) -> float:
        """Seconds until unfinished candidates are taken, above 0; 0 if there is no limit."""
        left_s = self._allowed_s - self.elapsed_s
        return max(left_s, _AT_ONCE_S) if self.limit_s else 0.0

    @property
    def _allowed_s(self) -> float:
        return self.limit_s * (1 if self.has_plan else 2)

    def in_time(self) -> bool:
        """Return whether time is left."""
        is_by_clock = not self.limit_s or self.elapsed_s < self.limit_s
        return self._outside.is_in_time(is_by_clock=is_by_clock)

    def observe(self, sampling: Sampling) -> None:
        """Pass the progress of a model to the callback, unless the time is up for good.

        Raises:
            PlanningTimeoutError: The limit (doubled while there is no plan) is over, and the model
                has nothing to return, or has not returned it within the extra time.
        """
        has_begun = sampling.output_tokens > 0 or (self.has_steps and not self.has_plan)
        grace_s = _HANDING_OVER_S if has_begun else 0.0
        if self.limit_s and self.elapsed_s > self._allowed_s + grace_s:
            raise too_late(self.limit_s)
        if self._on_progress is not None:
            self._on_progress(sampling)


def too_late(limit_s: float) -> PlanningTimeoutError:
    """Return the error for a time limit reached before any plan, or step of one, was finished.

    Args:
        limit_s: PLAN_PLANNING_TIMEOUT_S in seconds.
    """
    msg = (
        f"no plan was finished within PLAN_PLANNING_TIMEOUT_S ({limit_s:g} s), "
        "nor within as long again"
    )
    return PlanningTimeoutError(msg, hint=_WAY_OUT)
