"""DeclinedError: a question during a run was not answered with "yes"."""

from __future__ import annotations


class DeclinedError(Exception):
    """A call must not be made: a person said "no", or there was no answer in time.

    It ends the execution. Unlike an ApprovalError, it does not mean that no person can be asked.

    Attributes:
        is_open: Whether the question stays open, so that the run can be resumed later.
    """

    def __init__(self, message: str, *, is_open: bool) -> None:
        super().__init__(message)
        self.is_open = is_open
