"""The `okso_jupyter` logger: JSON lines (time, level, message, detail), or grey lines in a cell."""

from __future__ import annotations

import html
import json
import logging
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from okso_jupyter.legible import visible
from okso_jupyter.redaction.redactor import Redactor

LOGGER: Final = logging.getLogger("okso_jupyter")

_GREY: Final = (
    "color: var(--jp-ui-font-color2, #616161); font-size: var(--jp-ui-font-size1, 13px); "
    "overflow-wrap: anywhere"
)
_LEVELS: Final = {0: logging.WARNING, 1: logging.INFO, 2: logging.DEBUG}


def warn_once(message: str, detail: str, told: set[str]) -> None:
    """Log a warning that is not among those that were told, and add it to them."""
    if f"{message}: {detail}" not in told:
        told.add(f"{message}: {detail}")
        LOGGER.warning(message, extra={"detail": detail})


class _JsonLines(logging.Formatter):
    """Formats a record as one JSON object, with secrets redacted."""

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
    """Formats a record as one line of plain text, with secrets redacted."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        detail = _in_words(getattr(record, "detail", ""))
        said = f"{record.getMessage()} ({detail})" if detail else record.getMessage()
        line = f"{record.levelname.capitalize()}: {said}"
        return visible(" ".join(self._redactor.text(line).split()))


class _Output(logging.StreamHandler[TextIO]):
    """Writes JSON to standard error, or displays a grey line of plain text in a cell.

    A cell shows standard error like a failure, and okso reports its work there as tables: a cell
    gets lines of its own, and only warnings unless VERBOSITY is 2. The stream and the shell are
    looked up on every write, because notebooks replace them.
    """

    def __init__(self, redactor: Redactor) -> None:
        logging.Handler.__init__(self)
        self._json, self._words = _JsonLines(redactor), _Words(redactor)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        if not _is_in_cell():
            super().emit(record)
        elif LOGGER.level <= logging.DEBUG or record.levelno >= logging.WARNING:
            _display(self._words.format(record))

    def format(self, record: logging.LogRecord) -> str:
        """Return the line as JSON."""
        return self._json.format(record)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # where the base class has a variable
        """The current standard error."""
        return sys.stderr


def set_verbosity(verbosity: int, redactor: Redactor) -> None:
    """Log warnings (0), information (1) or everything (2).

    A second call replaces the handler of the first; handlers of other code stay.
    """
    for handler in list(LOGGER.handlers):
        if isinstance(handler, _Output):
            LOGGER.removeHandler(handler)
    LOGGER.addHandler(_Output(redactor))
    LOGGER.setLevel(_LEVELS[verbosity])
    LOGGER.propagate = False


def _is_in_cell() -> bool:
    # only ipykernel's streams have it
    return hasattr(sys.stderr, "pub_thread") and "IPython" in sys.modules


def _display(line: str) -> None:
    """Display a line in grey; where a page allows no styles it is plain text."""
    shell = sys.modules["IPython"].get_ipython()
    page = f"<div class='mathjax_ignore tex2jax_ignore' style='{_GREY}'>{html.escape(line)}</div>"
    shell.display_pub.publish({"text/plain": line, "text/html": page})


def _in_words(detail: object) -> str:
    """Return a detail as text; a mapping as names and values, without empty ones."""
    if isinstance(detail, Mapping):
        said = {name: _in_words(value) for name, value in detail.items()}
        return ", ".join(f"{name}: {words}" for name, words in said.items() if words)
    if isinstance(detail, list | tuple):
        return ", ".join(map(_in_words, detail))
    return str(detail)
