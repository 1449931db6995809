"""The check of a run's answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never, get_args

from okso_jupyter.journal.events import AnswerChecked, ObservationMade
from okso_jupyter.journal.run_view.fold import Fold
from okso_jupyter.plan.plan import FINAL_TOOL

VerdictEvent = AnswerChecked | ObservationMade


@dataclass(kw_only=True)
class VerdictFold(Fold[VerdictEvent]):
    """The check of a run's answer.

    Attributes:
        verdict: Its result; None if the answer was not checked, such as one that replaced a
            rejected one.
    """

    takes = get_args(VerdictEvent)
    verdict: AnswerChecked | None = None

    def apply(self, event: VerdictEvent, at: str) -> None:
        """Keep the result of a check until there is another answer."""
        del at
        match event:
            case AnswerChecked():
                self.verdict = event
            case ObservationMade(observation=seen):
                is_answer = seen.status == "completed" and seen.call.tool == FINAL_TOOL
                self.verdict = None if is_answer else self.verdict
            case _:
                assert_never(event)
