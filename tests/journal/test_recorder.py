"""Spans nest, measure their time and have unique numbers."""

from __future__ import annotations

import contextvars
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.journal.events import CompletionMade, SpanEnded
from okso_jupyter.journal.recorder import RunRecorder
from okso_jupyter.journal.store import Journal
from okso_jupyter.llm.protocol import CompletionRequest, Message
from okso_jupyter.testing import ScriptedModel


@pytest.fixture
def recorder(tmp_path: Path) -> Iterator[RunRecorder]:
    """A recorder of one run in a new journal."""
    journal = Journal(tmp_path)
    yield RunRecorder(journal, "run")
    journal.close()


def _spans(recorder: RunRecorder) -> dict[str, tuple[str, str, str]]:
    """Return id, parent and status of the run's spans, by name."""
    return {
        record.body["name"]: tuple(record.body[k] for k in ("span_id", "parent_id", "status"))
        for record in recorder.journal.records(recorder.run_id, SpanEnded)
    }


def test_spans_nest(recorder: RunRecorder) -> None:
    """A span inside another is its child; a span after it is not."""
    with recorder.span("outer"):
        with recorder.span("first"):
            pass
        with recorder.span("second"):
            pass
    with recorder.span("later"):
        pass

    spans = _spans(recorder)
    outer = spans["outer"][0]
    assert [spans[name][1] for name in ("outer", "first", "second", "later")] == [
        "", outer, outer, "",
    ]  # fmt: skip
    assert len({span_id for span_id, _, _ in spans.values()}) == 4


def test_a_span_ended_by_an_exception_is_an_error(recorder: RunRecorder) -> None:
    """The span is recorded with the exception's type, and the exception is raised again."""
    with pytest.raises(KeyboardInterrupt), recorder.span("outer"):
        raise KeyboardInterrupt

    record = recorder.journal.records("run", SpanEnded)[0].body
    assert (record["status"], record["attributes"]["error_type"]) == ("error", "KeyboardInterrupt")
    with recorder.span("next"):
        pass
    assert _spans(recorder)["next"][1] == ""


def test_attributes_can_be_added_until_the_end(recorder: RunRecorder) -> None:
    """Attributes added inside a span are recorded with it; its duration is not negative."""
    with recorder.span("work", tool="a") as span:
        span.attributes["found"] = 3

    record = recorder.journal.records("run", SpanEnded)[0].body
    assert record["attributes"] == {"tool": "a", "found": 3}
    assert record["duration_s"] >= 0


def test_a_second_recorder_continues_the_numbering(recorder: RunRecorder) -> None:
    """A run planned by one recorder and executed by another has unique span numbers."""
    with recorder.span("plan"), recorder.span("chat"):
        pass
    again = RunRecorder(recorder.journal, "run")
    with again.span("run"):
        pass

    ids = [span_id for span_id, _, _ in _spans(recorder).values()]
    assert sorted(map(int, ids)) == [1, 2, 3]


def test_a_span_left_open_keeps_its_number(recorder: RunRecorder) -> None:
    """If a writer died inside a span, neither its number nor its child's is used again."""
    outer = recorder.span("outer")
    outer.__enter__()
    with recorder.span("child"):
        pass
    again = RunRecorder(recorder.journal, "run")
    with again.span("later"):
        pass

    assert int(_spans(recorder)["later"][0]) == 3
    outer.__exit__(None, None, None)


def test_a_thread_with_the_same_context_nests(recorder: RunRecorder) -> None:
    """A span in a thread is a child of the starting span if the context was copied."""

    def work() -> None:
        with recorder.span("inner"):
            pass

    with recorder.span("outer"):
        thread = threading.Thread(target=contextvars.copy_context().run, args=(work,))
        thread.start()
        thread.join()

    spans = _spans(recorder)
    assert spans["inner"][1] == spans["outer"][0]


def test_a_completion_is_recorded_with_its_request(recorder: RunRecorder) -> None:
    """Prompt, schema, temperature, seed and text are in one record."""
    request = CompletionRequest(
        role="planner",
        messages=(Message("user", "hello"),),
        seeds=(7,),
        temperature=0.5,
        max_tokens=9,
        schema={"type": "string"},
        hot=re.compile("tool$"),
    )
    completion = ScriptedModel(["hi"]).complete(request)[0]

    recorder.completion("planner", request, completion, step_id=2)

    body = recorder.journal.records("run", CompletionMade)[0].body
    assert body["prompt"] == "user: hello"
    assert body["schema"] == {"type": "string"}
    assert (body["seed"], body["temperature"], body["text"]) == (7, 0.5, "hi")
    assert body["hot"] == "tool$"
    assert (body["step_id"], len(body["prompt_sha256"])) == (2, 64)
