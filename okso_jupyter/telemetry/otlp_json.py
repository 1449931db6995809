"""OTLP JSON: the spans of a run as the document that OTLP receivers take over HTTP."""

from __future__ import annotations

from typing import Any, Final

from okso_jupyter.telemetry.genai_attributes import AGENT
from okso_jupyter.telemetry.trace import Attributes, RunTrace, TraceSpan, Value

SERVICE_NAME: Final = "okso-jupyter"
_INTERNAL, _CLIENT = 1, 3
_IS_ERROR: Final = 2


def to_otlp(trace: RunTrace) -> dict[str, Any]:
    """Return a trace as an `ExportTraceServiceRequest` in its JSON form."""
    spans = [_span(trace.trace_id, span) for span in trace.spans]
    scope_spans = [{"scope": {"name": f"{AGENT}_jupyter"}, "spans": spans}]
    resource = {"attributes": _attributes({"service.name": SERVICE_NAME})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": scope_spans}]}


def _span(trace_id: str, span: TraceSpan) -> dict[str, Any]:
    parent = {"parentSpanId": span.parent_id} if span.parent_id else {}
    return {
        "traceId": trace_id,
        "spanId": span.span_id,
        **parent,
        "name": span.name,
        "kind": _CLIENT if span.asks_others else _INTERNAL,
        "startTimeUnixNano": str(span.start_ns),
        "endTimeUnixNano": str(span.end_ns),
        "attributes": _attributes(span.attributes),
        "events": [
            {
                "name": event.name,
                "timeUnixNano": str(event.at_ns),
                "attributes": _attributes(event.attributes),
            }
            for event in span.events
        ],
        "status": {"code": _IS_ERROR} if span.is_error else {},
    }


def _attributes(attributes: Attributes) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in attributes.items()]


def _value(value: Value) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case tuple():
            return {"arrayValue": {"values": [_value(one) for one in value]}}
