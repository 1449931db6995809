"""An exported document is one of OpenTelemetry's protocol: its fields, their types, the ids."""

from __future__ import annotations

import base64
from typing import Any

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.bench import END, Bench
from tests.telemetry.receiver import facts

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
_IDS = ("traceId", "spanId", "parentSpanId")


def parsed(document: dict[str, Any]) -> list[Any]:
    """Return the spans of a document, read strictly; ids are hexadecimal in OTLP's JSON alone."""
    for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for name in _IDS:
            if name in span:
                span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    request = ParseDict(document, ExportTraceServiceRequest())
    return list(request.resource_spans[0].scope_spans[0].spans)


def test_a_document_is_read_strictly(bench: Bench) -> None:
    """No field is unknown, and ids and times have their sizes."""
    with bench.session([READ, END], PLANNER_SAMPLE_COUNT=1) as session:
        run = session.run("read notes.txt", approve=lambda _plan: "approve")
    spans = parsed(run.to_otlp())
    assert {(len(span.trace_id), len(span.span_id)) for span in spans} == {(16, 8)}
    assert all(0 < span.start_time_unix_nano <= span.end_time_unix_nano for span in spans)
    (call,) = [span for span in spans if span.name == "execute_tool file_read"]
    assert "notes.txt" in facts(call)["gen_ai.tool.call.arguments"]


def test_texts_can_be_left_out(bench: Bench) -> None:
    """Neither request nor arguments nor results are in it then."""
    run = bench.run([READ, END])
    assert "notes.txt" in str(run.to_otlp())
    assert "notes.txt" not in str(run.to_otlp(content=False))
