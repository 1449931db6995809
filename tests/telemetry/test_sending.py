"""A run sends its spans to the endpoint that OTEL_* names; a run without one sends nothing."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest

from okso_jupyter.telemetry import sender as sending
from okso_jupyter.telemetry.trace import span_id_of, trace_id_of
from tests.bench import END, Bench
from tests.telemetry.receiver import Receiver, facts, receiving
from tests.web_lab import Host, answer, says

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOST: dict[str, Any] = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
SECRET = "sk-proj-4f9Gh27LmQpRsT0uVwXyZ1234567890abcdEFGH"  # noqa: S105  made up


@pytest.fixture(autouse=True)
def _sender(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A sender of this test's own."""
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SDK_DISABLED", "OTEL_SERVICE_NAME"):
        monkeypatch.delenv(name, raising=False)
    sending.sender.cache_clear()
    yield
    if sending.sender.cache_info().currsize:
        sending.sender().close()
    sending.sender.cache_clear()


@pytest.fixture(name="receiver")
def _receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver that the environment names."""
    with receiving() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
        yield receiver


def planned(
    bench: Bench, steps: list[Any], request: str = "read notes.txt", **settings: Any
) -> Any:
    """Plan a request with a model, and run the plan."""
    with bench.session(steps, PLANNER_SAMPLE_COUNT=1, **settings) as session:
        return session.run(request, approve=lambda _plan: "approve")


def named(spans: list[Any], start: str) -> Any:
    """Return the one span whose name starts so."""
    (found,) = [span for span in spans if span.name.startswith(start)]
    return found


def test_a_run_arrives_as_spans(bench: Bench, receiver: Receiver) -> None:
    """One trace: the run, its planning, the request to the model, the call of the tool."""
    run = planned(bench, [READ, END])
    sending.sender().wait()
    assert receiver.paths == ["/v1/traces"]
    spans = receiver.spans
    assert {span.trace_id.hex() for span in spans} == {trace_id_of(run.id)}
    whole = named(spans, "invoke_agent okso")
    assert (whole.span_id.hex(), whole.parent_span_id) == (span_id_of(run.id, ""), b"")
    ids = {span.span_id for span in spans}
    assert all(span.parent_span_id in ids for span in spans if span is not whole)
    assert all(whole.start_time_unix_nano <= s.start_time_unix_nano for s in spans)
    (resource,) = {facts(r.resource)["service.name"] for r in receiver.requests[0].resource_spans}
    assert resource == "okso-jupyter"

    of_run, chat = facts(whole), facts(named(spans, "chat "))
    call = facts(named(spans, "execute_tool file_read"))
    assert of_run["gen_ai.operation.name"] == "invoke_agent"
    assert of_run["okso.run.state"] == "completed"
    assert chat["gen_ai.operation.name"] == "chat"
    assert chat["gen_ai.usage.output_tokens"] > 0
    assert (call["gen_ai.tool.name"], call["okso.call.status"]) == ("file_read", "completed")
    assert facts(named(spans, "plan"))["gen_ai.operation.name"] == "plan"


def test_decisions_and_candidates_are_events(bench: Bench, receiver: Receiver) -> None:
    """What was decided, by whom, and what was chosen of what."""
    planned(bench, [READ, END])
    sending.sender().wait()
    events = {event.name: facts(event) for span in receiver.spans for event in span.events}
    assert events["okso.decision"]["okso.decision"] == "approve"
    assert events["okso.candidate"]["okso.candidate.tools"] == ["file_read", "final_answer"]
    assert events["okso.candidate.chosen"]["okso.candidate.index"] == 1


def test_texts_are_left_out_unless_asked_for(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prompts, arguments and results are sent only under the name of the conventions."""
    planned(bench, [READ, END])
    sending.sender().wait()
    assert "notes.txt" not in str(receiver.requests)
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    planned(bench, [READ, END])
    sending.sender().wait()
    call = facts(named(receiver.spans[len(receiver.spans) // 2 :], "execute_tool"))
    assert call["gen_ai.tool.call.arguments"] == '{"path": "notes.txt"}'


def test_no_secret_is_sent(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key in a file, in the request and in the answer is redacted as in the journal."""
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    (bench.root / "notes.txt").write_text(f"key: {SECRET}\n", encoding="utf-8")
    planned(bench, [READ, END], request=f"read notes.txt with {SECRET}")
    sending.sender().wait()
    sent = str(receiver.requests)
    assert "execute_tool" in sent
    assert SECRET not in sent


def test_a_failure_is_an_error(bench: Bench, receiver: Receiver) -> None:
    """The call and the run that failed have the status and the type of the error."""
    run = bench.run([LOST, END])
    sending.sender().wait()
    call, whole = named(receiver.spans, "execute_tool"), named(receiver.spans, "invoke_agent")
    assert (run.state, call.status.code, whole.status.code) == ("failed", 2, 2)
    assert facts(call)["error.type"]


def test_a_resumed_run_sends_each_span_once(bench: Bench, receiver: Receiver) -> None:
    """The part before the pause, then the rest with the run's own span."""
    run = bench.run([READ, READ, END], BUDGET_STEPS=1, PLAN_MAX_PARALLEL=1)
    sending.sender().wait()
    assert run.state == "paused"
    assert not [span for span in receiver.spans if span.name.startswith("invoke_agent")]
    with bench.session() as session:
        session.resume(run.id, approve="auto")
    sending.sender().wait()
    ids = [span.span_id for span in receiver.spans]
    assert len(ids) == len(set(ids))
    assert named(receiver.spans, "invoke_agent").trace_id.hex() == trace_id_of(run.id)


def test_nothing_is_sent_unless_an_endpoint_is_named(bench: Bench) -> None:
    """No thread is started, no package of OpenTelemetry is used."""
    planned(bench, [READ, END])
    assert not sending.sender.cache_info().currsize


@pytest.mark.parametrize(
    ("name", "value"), [("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")]
)
def test_it_can_be_turned_off(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The names that turn OpenTelemetry off do."""
    monkeypatch.setenv(name, value)
    planned(bench, [READ, END])
    assert not sending.sender.cache_info().currsize
    assert not receiver.requests


def test_headers_and_service_come_from_the_environment(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The standard names reach the receiver."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-team=blue")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "notebook-7")
    planned(bench, [READ, END])
    sending.sender().wait()
    assert receiver.headers[0]["x-team"] == "blue"
    (resource,) = receiver.requests[0].resource_spans
    assert facts(resource.resource)["service.name"] == "notebook-7"


def test_an_endpoint_that_is_down_is_one_warning(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Runs go on and are in the journal; the library's own warnings are not shown."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv(
            "OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{unused.getsockname()[1]}"
        )
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
        with caplog.at_level(logging.WARNING):
            runs = [planned(bench, [READ, END]) for _ in range(2)]
            sending.sender().wait()
    assert [run.state for run in runs] == ["completed", "completed"]
    (warning,) = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert "telemetry is not sent" in warning.message
    assert runs[0].to_otlp()["resourceSpans"][0]["scopeSpans"][0]["spans"]


def test_a_protocol_that_is_not_spoken_is_one_warning(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Nothing is sent in another protocol."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    with caplog.at_level(logging.WARNING):
        planned(bench, [READ, END])
        planned(bench, [READ, END])
    assert [one.message for one in caplog.records] == ["telemetry is off"]
    assert not receiver.requests


def test_an_export_has_the_spans_that_were_sent(bench: Bench, receiver: Receiver) -> None:
    """Sending and exporting are one mechanism."""
    run = planned(bench, [READ, END])
    sending.sender().wait()
    (resource,) = run.to_otlp(content=False)["resourceSpans"]
    exported = {(span["spanId"], span["name"], span["startTimeUnixNano"], span["endTimeUnixNano"])
                for span in resource["scopeSpans"][0]["spans"]}  # fmt: skip
    sent = {
        (s.span_id.hex(), s.name, str(s.start_time_unix_nano), str(s.end_time_unix_nano))
        for s in receiver.spans
    }
    assert sent == exported


@pytest.mark.process
def test_a_script_that_ends_at_once_has_sent_its_run(bench: Bench, receiver: Receiver) -> None:
    """The end of the process waits for what was handed over."""
    code = (
        "from okso_jupyter import Session\n"
        "from okso_jupyter.testing import ScriptedModel\n"
        "with Session(model=ScriptedModel([])) as session:\n"
        "    session.execute([{'tool': 'final_answer', 'args': {}}], approve='auto')\n"
    )
    env = {**os.environ, "OKSO_HOME": str(bench.home)}
    subprocess.run([sys.executable, "-c", code], cwd=bench.root, env=env, check=True)  # noqa: S603
    assert named(receiver.spans, "invoke_agent")


def test_without_the_extra_a_warning_names_it(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """The packages are needed only for sending."""
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "okso_jupyter.telemetry.otlp_exporter", raising=False)
    with caplog.at_level(logging.WARNING):
        run = planned(bench, [READ, END])
        sending.sender().wait()
    (warning,) = caplog.records
    assert "okso-jupyter[otel]" in str(vars(warning)["detail"])
    assert (run.state, receiver.requests) == ("completed", [])


def test_a_header_that_is_no_pair_is_not_shown(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """The library names such a header in its warning, which may be a key."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "Bearer blue-sky-and-sea")
    with caplog.at_level(logging.WARNING):
        planned(bench, [READ, END])
        sending.sender().wait()
    assert receiver.requests
    said = capfd.readouterr().err + caplog.text
    assert "blue-sky-and-sea" not in said
    assert "OTEL_EXPORTER_OTLP_HEADERS" in said + str([vars(one) for one in caplog.records])


def test_an_empty_name_of_an_exporter_is_none(
    bench: Bench, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenTelemetry says that an empty value counts as not set."""
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "")
    planned(bench, [READ, END])
    sending.sender().wait()
    assert receiver.requests


def test_an_endpoint_that_redirects_is_one_warning(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is sent on to another address, and the key in the endpoint is not shown."""
    with receiving() as receiver:
        moved = Host(says(answer(status="302 Found", Location=f"{receiver.url}/v1/traces")))
        url = f"http://127.0.0.1:{moved.port}/v1/traces?token={SECRET}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url)
        for _ in range(2):
            assert bench.run([READ, END]).state == "completed"
        sending.sender().wait()
        moved.close()
    assert (moved.connections, receiver.paths) == (2, [])
    (warning,) = [one for one in caplog.records if "telemetry" in one.getMessage()]
    assert "redirects elsewhere" in str(vars(warning))
    assert SECRET not in str([vars(one) for one in caplog.records])


def test_a_key_in_an_endpoint_that_is_down_is_not_shown(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The library's words name the whole address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1/traces?token=tea-and-cake"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    bench.run([READ, END])
    sending.sender().wait()
    assert [one for one in caplog.records if "telemetry is not sent" in one.getMessage()]
    assert "tea-and-cake" not in str([vars(one) for one in caplog.records])


def test_an_endpoint_that_never_answers_holds_no_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two runs have completed while it still keeps the first request waiting."""
    asked, may_answer = Event(), Event()

    def hold(connection: socket.socket, _line: str) -> None:
        asked.set()
        may_answer.wait()
        connection.sendall(answer())

    silent = Host(hold)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{silent.port}")
    try:
        first = bench.run([READ, END])
        assert asked.wait(60)
        second = bench.run([READ, END])
        assert (first.state, second.state) == ("completed", "completed")
        assert not may_answer.is_set()
    finally:
        may_answer.set()
        silent.close()
