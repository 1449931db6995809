"""The broker's part of document conversion: limits, worker process, and checks of its answer."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter.documents.kinds import DOCUMENT_KINDS
from okso_jupyter.documents.readers.markdown import without_html
from okso_jupyter.errors import ToolFailedError, ToolRefusedError
from okso_jupyter.sandbox.child_process import ChildProcess, WorkerCall
from okso_jupyter.sandbox.launch import NOWHERE, check_system, launch, layers_here
from okso_jupyter.sandbox.process import started
from okso_jupyter.workspace.text_files import decode_text

_WORKER_PROGRAM: Final = Path(__file__).with_name("reader_process.py")
_READERS: Final = Path(__file__).with_name("readers")
_MIB: Final = 1 << 20
#: An answer is JSON in ASCII: most non-Latin letters take six bytes, some more.
_ANSWER_BYTES_PER_CHAR: Final = 7
_MAX_REASON_CHARS: Final = 300
_MAX_WARNINGS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionLimits:
    """Limits of one conversion.

    Attributes:
        max_bytes: Maximum size of a document; a larger one is refused before parsing.
        max_chars: Maximum length of the Markdown; the rest is cut, with a warning.
        timeout_s: Seconds of wall-clock time after which the worker is killed.
    """

    max_bytes: int = 32 * _MIB
    max_chars: int = 2_000_000
    timeout_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A document as Markdown; every text in it comes from the document and is untrusted.

    Attributes:
        markdown: The visible text; no raw HTML, no images, only http(s) and mailto links.
        title: The document's title; "" if it has none.
        pages: Pages of a pdf, slides of a pptx, sheets of an xlsx; 1 for all others.
        warnings: What was left out or cut, one sentence each.
    """

    markdown: str
    title: str = ""
    pages: int = 1
    warnings: tuple[str, ...] = ()


def to_markdown(
    data: bytes,
    kind: str,
    *,
    limits: ConversionLimits | None = None,
    charset: str = "",
    base_url: str = "",
) -> Converted:
    """Convert one document in a new worker process; arguments as in `Converter.to_markdown`."""
    with Converter() as converter:
        return converter.to_markdown(data, kind, limits=limits, charset=charset, base_url=base_url)


class Converter:
    """Converts documents in one worker process, started on first use; close it after use.

    Conversions run one at a time. A worker that a document crashed is replaced by the next one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, if there is one; a later conversion starts a new one."""
        child = self._child
        if child is not None:
            # the conversion that holds the lock sees its worker die, and releases it
            child.end()
        with self._lock:
            self._drop()

    def to_markdown(  # noqa: PLR0913  one argument per thing that a caller may know
        self,
        data: bytes,
        kind: str,
        *,
        limits: ConversionLimits | None = None,
        charset: str = "",
        base_url: str = "",
        cancelled: threading.Event | None = None,
    ) -> Converted:
        """Convert one document.

        Args:
            data: Its content.
            kind: See `kind_of_path` and `kind_of_mime`; anything but a document is treated as text.
            limits: Limits of the conversion.
            charset: Its text encoding, as sent by a server; "" detects it.
            base_url: Base address for relative links of an html document; "" drops them.
            cancelled: Set by another thread to stop the conversion.

        Raises:
            ToolFailedError: The document is too large, damaged, locked, malicious or too slow.
            ToolRefusedError: It is not text of a known kind, or sandbox or library is missing; the
                hint names a solution.
            ToolUnavailableError: The worker did not start.
        """
        limits = limits or ConversionLimits()
        if len(data) > limits.max_bytes:
            msg = f"the {kind} is {len(data):,} bytes long; the maximum is {limits.max_bytes:,}"
            raise ToolFailedError(msg)
        if kind not in DOCUMENT_KINDS:
            return _plain(decode_text(data, f"the {kind} file"), kind, limits)
        request = {
            "kind": kind,
            "data": base64.b64encode(data).decode("ascii"),
            "max_chars": limits.max_chars,
            "charset": charset,
            "base_url": base_url,
        }
        with self._lock:
            exchange = self._exchange(request, limits, cancelled or threading.Event())
        return _answer(exchange, kind, limits)

    def _exchange(
        self, request: Mapping[str, Any], limits: ConversionLimits, cancelled: threading.Event
    ) -> WorkerCall:
        """Send a request to a live worker; end a worker that does not answer it."""
        child = self._live_child()
        answered = False
        try:
            exchange = child.ask(
                request,
                timeout_s=limits.timeout_s,
                stop=lambda: "stopped" if cancelled.is_set() else "",
                max_frame_bytes=_ANSWER_BYTES_PER_CHAR * limits.max_chars + _MIB,
            )
            answered = exchange.end == "answered"
        finally:
            # after an interrupted wait, an answer without a reader is still on its way
            if not answered:
                self._drop()
        return exchange

    def _live_child(self) -> ChildProcess:
        """Return the running worker; a new one if it ended or sent unrequested bytes."""
        if self._child is not None and (not self._child.alive or self._child.spoke_unasked()):
            self._drop()
        if self._child is None:
            check_system()
            reads = [str(_READERS)]
            with launch(
                None, None, layers_here(), self_test=True, program=_WORKER_PROGRAM, reads=reads
            ) as how:
                self._child, _ = started(how, NOWHERE)
        return self._child

    def _drop(self) -> None:
        """Kill the worker, if there is one."""
        if self._child is not None:
            self._child.kill()
            self._child = None


def fenced(text: str, language: str = "text") -> str:
    """Return a text in a code fence longer than any fence in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    end = "" if text.endswith("\n") or not text else "\n"
    return f"{fence}{language}\n{text}{end}{fence}"


def _plain(text: str, kind: str, limits: ConversionLimits) -> Converted:
    """Return a text as Markdown without parsing it."""
    is_cut = len(text) > limits.max_chars
    text = text[: limits.max_chars]
    language = kind if kind.isalnum() and kind.isascii() and kind != "txt" else "text"
    return Converted(
        markdown=without_html(text) if kind == "md" else fenced(text, language),
        warnings=(f"cut at {limits.max_chars:,} characters",) if is_cut else (),
    )


def _answer(exchange: WorkerCall, kind: str, limits: ConversionLimits) -> Converted:
    """Return the worker's result for a document; only its form is trusted."""
    frame = exchange.frame
    if exchange.end == "timeout":
        msg = f"the {kind} took longer than {limits.timeout_s:g} s to read"
        raise ToolFailedError(msg, hint="it is too large, or made to stop its readers")
    if exchange.end == "stopped":
        msg = "stopped"
        raise ToolRefusedError(msg)
    if exchange.end != "answered":
        msg = f"the {kind} cannot be read: its reader crashed on it"
        raise ToolFailedError(msg)
    if frame.get("missing"):
        msg = f"reading {kind} needs the package {_text(frame['missing'])[:100]}"
        raise ToolRefusedError(msg, hint='pip install "okso-jupyter[documents]"')
    if frame.get("error"):
        msg = f"the {kind} cannot be read: {_text(frame['error'])[:_MAX_REASON_CHARS]}"
        raise ToolFailedError(msg)
    pages = frame.get("pages")
    warnings = frame.get("warnings")
    return Converted(
        markdown=_text(frame.get("markdown"))[: limits.max_chars],
        title=_text(frame.get("title"))[:_MAX_REASON_CHARS],
        pages=pages if isinstance(pages, int) and pages > 0 else 1,
        warnings=tuple(
            _text(warning)[:_MAX_REASON_CHARS]
            for warning in (warnings if isinstance(warnings, list) else [])[:_MAX_WARNINGS]
        ),
    )


def _text(value: object) -> str:
    """Return a field of an answer as text that can be written to any output."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""
