"""The `okso_jupyter` logger as JSON lines of time, level, message and detail."""

from __future__ import annotations

import json
import logging
import sys
from typing import Final, TextIO

from okso_jupyter.redaction import Redactor

LOGGER: Final = logging.getLogger("okso_jupyter")

_LEVELS: Final = {0: logging.WARNING, 1: logging.INFO, 2: logging.DEBUG}


class _JsonLines(logging.Formatter):
    """One JSON object per record, secrets taken out."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname,
            "message": record.getMessage(),
            "detail": getattr(record, "detail", ""),
        }
        return json.dumps(
            self._redactor.json(line),
            ensure_ascii=False,
            default=lambda value: self._redactor.text(str(value)),
        )


class _StandardError(logging.StreamHandler[TextIO]):
    """Writes to standard error as it is at that moment: notebooks put another in its place.

    Information with `is_shown` is left out where that is the output of a cell, which shows the same
    as a table; VERBOSITY=2 leaves nothing out.
    """

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        in_cell = hasattr(self.stream, "pub_thread")  # as ipykernel's streams alone have
        if getattr(record, "is_shown", False) and in_cell and LOGGER.level > logging.DEBUG:
            return
        super().emit(record)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # where the base class has a variable
        """Standard error."""
        return sys.stderr


def set_verbosity(verbosity: int, redactor: Redactor) -> None:
    """Log warnings (0), information (1) or everything (2) to standard error.

    Calling it again replaces what it set up before; handlers of others are left alone.
    """
    for handler in list(LOGGER.handlers):
        if isinstance(handler.formatter, _JsonLines):
            LOGGER.removeHandler(handler)
    handler = _StandardError()
    handler.setFormatter(_JsonLines(redactor))
    LOGGER.addHandler(handler)
    LOGGER.setLevel(_LEVELS[verbosity])
    LOGGER.propagate = False
