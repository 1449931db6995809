"""RecordedResults: the recorded result of a call in a replay; None in a live run."""

from __future__ import annotations

from okso_jupyter.plan.records import Observation, ToolCall


class RecordedResults:
    """The live implementation: has no recorded results, so every call is made."""

    def observed(self, call: ToolCall) -> Observation | None:
        """Return the recorded observation of a call; None if the call has to be made.

        Raises:
            OksoError: The call must not be made, and its result is not recorded.
        """
        del call
        return None

    def timed(self, remark: Observation) -> Observation:
        """Return a remark with its recorded time; unchanged in a live run."""
        return remark
