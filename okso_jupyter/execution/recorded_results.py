"""RecordedResults: the recorded result of a call in a replay; None in a live run."""

from __future__ import annotations

from okso_jupyter.plan.records import Observation, ToolCall


class RecordedResults:
    """Knows nothing: every call is made, and what is observed bears the time of now."""

    def observed(self, call: ToolCall) -> Observation | None:
        """Return what a call came to; None where it has to be made.

        Raises:
            OksoError: It must not be made, and what it came to is not known.
        """
        del call
        return None

    def timed(self, remark: Observation) -> Observation:
        """Return an observation without a call, with the time that it was made at."""
        return remark
