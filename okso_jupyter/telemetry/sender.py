"""Sender: sends the spans of runs to the endpoint that `OTEL_*` names, on a thread of its own.

A run only hands over its records. What cannot be sent is one warning; the journal has it still.
"""

from __future__ import annotations

import atexit
import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from queue import Full, Queue
from typing import TYPE_CHECKING, Final

from okso_jupyter.amounts import cut
from okso_jupyter.errors import JournalError
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Record, now
from okso_jupyter.log import LOGGER
from okso_jupyter.settings import environment
from okso_jupyter.telemetry.trace import RunTrace, nanoseconds
from okso_jupyter.telemetry.trace_builder import ENDED, trace_of

if TYPE_CHECKING:
    from okso_jupyter.telemetry.otlp_exporter import SpanExporter

_THREAD: Final = "okso-telemetry"
_MOST_WAITING: Final = 100
#: Seconds that the end of the process waits for what is not sent yet.
_LAST_WAIT_S: Final = 2.0
#: Loggers of the library, with what is said instead of what it logs there; empty for its own words.
_LIBRARY_LOGGERS: Final = {
    "opentelemetry.exporter.otlp.proto.http.trace_exporter": "",
    # it logs the headers themselves, which may be keys
    "opentelemetry.util.re": "OTEL_EXPORTER_OTLP_HEADERS has something that is no name=value",
}
#: Most characters of a reason; an endpoint may answer with a page.
_MOST_OF_REASON: Final = 500
#: What follows the path of an address, which may be a key.
_QUERY: Final = re.compile(r"\?[^\s'\")]*")
_REDIRECTED: Final = "Exceeded 0 redirects"
_EXPORT_LATER: Final = "%okso export RUN exports a run of the journal"


@dataclass(frozen=True, slots=True)
class TelemetryTarget:
    """What the environment says about telemetry.

    Attributes:
        is_on: Whether spans are sent.
        content: Whether texts of people, models and tools are in them.
        flaw: Why nothing can be sent although an endpoint is named; empty if it can.
    """

    is_on: bool
    content: bool = False
    flaw: str = ""

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> TelemetryTarget:
        """Return what an environment says, by the names that OpenTelemetry gives."""
        names = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
        is_off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
        exporter = environ.get("OTEL_TRACES_EXPORTER") or "otlp"
        if is_off or "otlp" not in exporter or not any(environ.get(name) for name in names):
            return cls(is_on=False)
        names = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
        protocol = next((environ[name] for name in names if environ.get(name)), "http/protobuf")
        flaw = "" if protocol == "http/protobuf" else f"it speaks http/protobuf, not {protocol}"
        capture = environ.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "")
        content = capture.lower() in {"true", "1", "span_only", "span_and_event"}
        return cls(is_on=True, content=content, flaw=flaw)


@dataclass(frozen=True, slots=True)
class _Finished:
    """Records of a run, of which the spans that ended after a time are to be sent."""

    run_id: str
    records: list[Record]
    since: str
    content: bool

    def trace(self) -> RunTrace:
        """Return the spans to send; the run's own one only if the run has ended."""
        trace = trace_of(self.run_id, self.records, content=self.content)
        since_ns = nanoseconds(self.since)
        ended = {str(state) for state in ENDED}
        spans = tuple(
            span
            for span in trace.spans
            if (span.parent_id or span.attributes.get("okso.run.state") in ended)
            and span.end_ns >= since_ns
        )
        return RunTrace(trace_id=trace.trace_id, spans=spans)


class TelemetrySender:
    """Sends the spans of finished runs, one run after the other."""

    def __init__(self) -> None:
        self._queue: Queue[_Finished | None] = Queue(_MOST_WAITING)
        self._exporter: SpanExporter | None = None
        self._is_warned = False
        self._filters: list[tuple[str, Callable[[logging.LogRecord], bool]]] = []
        #: Set while there is nothing to wait for: the last try failed, or the thread has ended.
        self._is_hopeless = threading.Event()
        self._thread = threading.Thread(target=self._work, name=_THREAD, daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def send(self, finished: _Finished) -> None:
        """Hand over a run; never waits."""
        try:
            self._queue.put_nowait(finished)
        except Full:
            self._warn("too many runs wait to be sent")

    def wait(self) -> None:
        """Wait until everything handed over was sent or given up."""
        self._queue.join()

    def close(self) -> None:
        """Send what is left, within a time limit; nothing is awaited where sending fails."""
        atexit.unregister(self.close)
        try:
            self._queue.put_nowait(None)
        except Full:
            return
        self._is_hopeless.wait(_LAST_WAIT_S)
        if self._exporter is not None:
            self._exporter.shutdown()
        for name, log_filter in self._filters:
            logging.getLogger(name).removeFilter(log_filter)

    def _work(self) -> None:
        while (finished := self._queue.get()) is not None:
            try:
                self._export(finished)
            except ImportError:
                self._warn("pip install 'okso-jupyter[otel]' has what sends it")
            except Exception as error:  # noqa: BLE001  a library's, or damaged records: no run may notice
                self._warn(f"{type(error).__name__}: {error}")
            finally:
                self._queue.task_done()
        self._queue.task_done()
        self._is_hopeless.set()

    def _export(self, finished: _Finished) -> None:
        if self._exporter is None:
            from okso_jupyter.telemetry.otlp_exporter import SpanExporter  # noqa: PLC0415  an extra

            for name, reason in _LIBRARY_LOGGERS.items():
                log_filter = partial(self._is_of_others, reason=reason)
                logging.getLogger(name).addFilter(log_filter)
                self._filters.append((name, log_filter))
            self._exporter = SpanExporter()
        trace = finished.trace()
        if not trace.spans:
            return
        if self._exporter.export(trace):
            self._is_hopeless.clear()
        else:
            self._warn("the endpoint did not take it")

    def _is_of_others(self, record: logging.LogRecord, *, reason: str) -> bool:
        """Return whether the library logged for others; what it logs here is our one warning."""
        if record.threadName != _THREAD:
            return True
        self._warn(reason or record.getMessage())
        return False

    def _warn(self, reason: str) -> None:
        self._is_hopeless.set()
        if not self._is_warned:
            detail = {"reason": _told(reason), "way": _EXPORT_LATER}
            LOGGER.warning("telemetry is not sent; runs continue", extra={"detail": detail})
        self._is_warned = True


def _told(reason: str) -> str:
    """Return a reason without what may be a key, and short."""
    if _REDIRECTED in reason:
        return "the endpoint redirects elsewhere: name the address that it leads to"
    return cut(_QUERY.sub("?…", reason), _MOST_OF_REASON)


@cache
def sender() -> TelemetrySender:
    """Return the sender of this process; it is made when it is first needed."""
    return TelemetrySender()


@cache
def _warn_of(flaw: str) -> None:
    LOGGER.warning("telemetry is off", extra={"detail": {"reason": flaw}})


@contextmanager
def telemetry_of(recorder: RunRecorder) -> Iterator[None]:
    """Send the spans of what a run records in the block, if the environment names an endpoint."""
    target = TelemetryTarget.of(environment())
    since = now()
    try:
        yield
    finally:
        if target.flaw:
            _warn_of(target.flaw)
        elif target.is_on:
            _hand_over(recorder, since, target)


def _hand_over(recorder: RunRecorder, since: str, target: TelemetryTarget) -> None:
    """Hand the records of a run to the sender; a journal that cannot be read is no error here."""
    try:
        records = recorder.journal.records(recorder.run_id)
    except JournalError as error:
        LOGGER.warning("telemetry cannot read the journal", extra={"detail": str(error)})
        return
    sender().send(_Finished(recorder.run_id, records, since, target.content))
