"""TimeLimit: the time that a server has for a call, and whether the call is to stop."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Self

from okso_jupyter.errors import ToolRefusedError


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """When a call must have ended.

    Attributes:
        end_s: The end, as `time.monotonic` counts.
        cancelled: Set by another thread to stop the call.
    """

    end_s: float
    cancelled: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def of_seconds(cls, seconds: float) -> Self:
        """Return a limit that ends in some seconds."""
        return cls(time.monotonic() + seconds)

    @property
    def left_s(self) -> float:
        """Seconds that are left, at least a tenth of one."""
        return max(self.end_s - time.monotonic(), 0.1)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() >= self.end_s

    def check(self) -> None:
        """Raise ToolRefusedError if the call is to stop."""
        if self.cancelled.is_set():
            msg = "stopped"
            raise ToolRefusedError(msg)
