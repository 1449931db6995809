"""A question in the middle of a run that was not answered with "yes"."""

from __future__ import annotations


class DeclinedError(Exception):
    """A call is not to be made: a person said "no", or nobody answered in time.

    It ends the walk, and is told from an ApprovalError, which says that nobody can be asked.

    Attributes:
        is_open: Whether the question stays open, so that the run is to be gone on with later.
    """

    def __init__(self, message: str, *, is_open: bool) -> None:
        super().__init__(message)
        self.is_open = is_open
