"""The `okso_jupyter` logger: JSON lines of time, level, message, detail; in a cell, words."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from okso_jupyter.legible import visible
from okso_jupyter.redaction.redactor import Redactor

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


class _Words(logging.Formatter):
    """One line for a person per record, secrets taken out."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        detail = _in_words(getattr(record, "detail", ""))
        said = f"{record.getMessage()} ({detail})" if detail else record.getMessage()
        line = f"{record.levelname.capitalize()}: {said}"
        return visible(" ".join(self._redactor.text(line).split()))


class _Output(logging.StreamHandler[TextIO]):
    """Writes JSON to standard error, and words into a cell.

    A cell shows standard error like a failure, and what okso does as tables: it gets words on
    standard output, warnings alone unless VERBOSITY is 2. Streams are those of the moment:
    notebooks put others in their place.
    """

    def __init__(self, redactor: Redactor) -> None:
        logging.Handler.__init__(self)
        self._json, self._words = _JsonLines(redactor), _Words(redactor)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        if _is_in_cell() and LOGGER.level > logging.DEBUG and record.levelno < logging.WARNING:
            return
        super().emit(record)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for whoever reads it."""
        return (self._words if _is_in_cell() else self._json).format(record)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # where the base class has a variable
        """Where the line goes."""
        return sys.stdout if _is_in_cell() else sys.stderr


def set_verbosity(verbosity: int, redactor: Redactor) -> None:
    """Log warnings (0), information (1) or everything (2).

    Calling it again replaces what it set up before; handlers of others are left alone.
    """
    for handler in list(LOGGER.handlers):
        if isinstance(handler, _Output):
            LOGGER.removeHandler(handler)
    LOGGER.addHandler(_Output(redactor))
    LOGGER.setLevel(_LEVELS[verbosity])
    LOGGER.propagate = False


def _is_in_cell() -> bool:
    return hasattr(sys.stderr, "pub_thread")  # as ipykernel's streams alone have


def _in_words(detail: object) -> str:
    """Return a detail as text; of an object, its names and values."""
    if isinstance(detail, Mapping):
        return ", ".join(f"{name}: {_in_words(value)}" for name, value in detail.items())
    if isinstance(detail, list | tuple):
        return ", ".join(map(_in_words, detail))
    return str(detail)
