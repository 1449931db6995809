"""OTLP exporter: the one file that meets OpenTelemetry's packages, the extra `otel`."""

from __future__ import annotations

from typing import Final

import requests
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME as SERVICE_KEY
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.trace.export import SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from okso_jupyter.telemetry.genai_attributes import AGENT
from okso_jupyter.telemetry.otlp_json import SERVICE_NAME
from okso_jupyter.telemetry.trace import RunTrace, TraceSpan

_SCOPE: Final = InstrumentationScope(f"{AGENT}_jupyter")


class SpanExporter:
    """Sends traces over HTTP; endpoint, headers, time limit and resource come from `OTEL_*`."""

    def __init__(self) -> None:
        session = requests.Session()
        session.max_redirects = 0  # a POST that is redirected becomes a GET, and its spans are lost
        self._exporter = OTLPSpanExporter(session=session)
        # `Resource.create` asks its detectors on threads, of which there are no new ones at the end
        # of a process
        named = Resource({SERVICE_KEY: SERVICE_NAME})
        self._resource = named.merge(OTELResourceDetector().detect())

    def export(self, trace: RunTrace) -> bool:
        """Send a trace and return whether the endpoint took it."""
        spans = [self._readable(trace.trace_id, span) for span in trace.spans]
        return self._exporter.export(spans) is SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """End a try that is under way."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]  # of the library

    def _readable(self, trace_id: str, span: TraceSpan) -> ReadableSpan:
        return ReadableSpan(
            name=span.name,
            context=_context(trace_id, span.span_id),
            parent=_context(trace_id, span.parent_id) if span.parent_id else None,
            resource=self._resource,
            attributes=span.attributes,
            events=[Event(one.name, one.attributes, one.at_ns) for one in span.events],
            kind=SpanKind.CLIENT if span.asks_others else SpanKind.INTERNAL,
            instrumentation_scope=_SCOPE,
            status=Status(StatusCode.ERROR if span.is_error else StatusCode.UNSET),
            start_time=span.start_ns,
            end_time=span.end_ns,
        )


def _context(trace_id: str, span_id: str) -> SpanContext:
    flags = TraceFlags(TraceFlags.SAMPLED)
    return SpanContext(int(trace_id, 16), int(span_id, 16), is_remote=False, trace_flags=flags)
