"""The spans of a run as a drawing: in order, nested, to scale, and as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.views.timeline import timeline_drawing
from tests.bench import END, Bench
from tests.views.hostile_texts import TEXTS
from tests.views.pictures import SVG, parsed, texts, titles

START = datetime(2026, 11, 22, 9, tzinfo=UTC)


def _span(number: int, parent: int = 0, at_s: float = 0.0, **more: Any) -> dict[str, Any]:
    return {
        "span_id": f"{number:04d}",
        "parent_id": f"{parent:04d}" if parent else "",
        "name": "work",
        "started_at": (START + timedelta(seconds=at_s)).isoformat(timespec="microseconds"),
        "duration_s": 1.0,
        "status": "ok",
        "attributes": {},
        **more,
    }


@st.composite
def span_lists(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Up to thirty spans, some of whose parents are missing."""
    return [
        _span(
            number,
            draw(st.integers(0, number - 1)),
            draw(st.floats(0, 1e6)),
            name=draw(TEXTS),
            duration_s=draw(st.floats(0, 1e5)),
            status=draw(st.sampled_from(["ok", "error"])),
            attributes={"tool": draw(TEXTS), "x": draw(TEXTS)},
        )
        for number in draw(st.lists(st.integers(1, 40), max_size=30, unique=True))
    ]


def _bars(root: Any) -> list[tuple[float, float]]:
    """Return the left end and width of each bar, without the background."""
    rects = [node for node in root.iter(f"{SVG}rect") if node.get("rx")]
    return [(float(node.get("x")), float(node.get("width"))) for node in rects]


@given(span_lists())
def test_every_picture_is_safe_xml_with_every_span(spans: list[dict[str, Any]]) -> None:
    """Any names and times result in safe XML, with every bar inside the picture."""
    root = parsed(timeline_drawing(spans))
    bars = _bars(root)
    assert len(bars) >= len(spans)
    width = float(root.get("width"))
    assert all(x >= 0 and length >= 2 and x + length <= width for x, length in bars)


def test_a_wait_for_a_decision_takes_no_room() -> None:
    """Ten minutes of waiting are left out of the axis, and told in words."""
    drawing = timeline_drawing([
        _span(1, name="plan"),
        _span(2, at_s=1.0, name="approval", duration_s=600.0),
        _span(3, at_s=601.0, name="run"),
    ])  # fmt: skip
    assert "approval: 10 min" in drawing.text
    (_, plan_width), *_, (_, run_width) = _bars(parsed(drawing))
    assert plan_width == pytest.approx(run_width)
    assert plan_width > 100


def test_spans_are_listed_below_their_parents() -> None:
    """Spans are nested and ordered by start, each with its duration and status."""
    drawing = timeline_drawing([
        _span(2, 1, 0.5, name="chat", attributes={"role": "planner"}),
        _span(1, name="plan", duration_s=2.0),
        _span(3, 0, 2.0, name="run", status="error", attributes={"error_type": "ToolError"}),
    ])  # fmt: skip
    assert drawing.text.split("\n") == [
        "Timeline of 3 spans over 3 s",
        "✓ plan: 2 s, ok, began at 0.000 s",
        "  ✓ chat planner: 1 s, ok, began at 0.500 s",
        "✗ run: 1 s, error, began at 2.000 s (error_type ToolError)",
    ]
    root = parsed(drawing)
    (plan_x, plan_width), (chat_x, chat_width), (run_x, _) = _bars(root)
    assert chat_width == pytest.approx(plan_width / 2, abs=0.01)
    assert chat_x - plan_x == pytest.approx(plan_width / 4, abs=0.01)
    assert run_x == pytest.approx(plan_x + plan_width, abs=0.01)
    assert {"✗ run", "1 s, error", "0 s", "3 s"} <= set(texts(root))


def test_idle_times_are_omitted_and_reported() -> None:
    """A long idle time between spans takes no space; its duration is reported."""
    drawing = timeline_drawing([_span(1), _span(2, 0, 36_000.0)])
    (first_x, first_width), (second_x, _) = _bars(parsed(drawing))
    assert second_x == pytest.approx(first_x + first_width, abs=0.01)
    assert "over 2 s; 10 h in which nothing ran are left out" in drawing.text
    assert "10 h in which nothing ran" in titles(parsed(drawing))


def test_a_span_that_never_ended_is_shown_as_open() -> None:
    """A parent span without a record is shown as open, as long as its children at least."""
    drawing = timeline_drawing([_span(2, 1, 0.0), _span(3, 1, 4.0)])
    assert drawing.text.split("\n")[1:] == [
        "◐ open span: over 5 s, open, began at 0.000 s",
        "  ✓ work: 1 s, ok, began at 0.000 s",
        "  ✓ work: 1 s, ok, began at 4.000 s",
    ]


def test_at_most_sixty_spans_are_shown() -> None:
    """Of 1,000 spans 60 are shown, and the label says so.

    Nested spans are dropped first, then short ones. `most_spans` sets another bound.
    """
    spans = [_span(1, duration_s=500.0)]
    spans += [_span(n, 1, n / 4, duration_s=float(n % 7 == 0)) for n in range(2, 1001)]
    drawing = timeline_drawing(spans)
    assert "1,000 spans over 8 min 20 s, 60 of 1,000 shown" in drawing.label
    assert len(_bars(parsed(drawing))) == 60
    assert drawing.text.count("work: 1 s") == 59
    assert len(_bars(parsed(timeline_drawing(spans, most_spans=3)))) == 3


def test_a_span_without_length_is_visible() -> None:
    """The bar of a span has a minimum width, even if no span took any time."""
    root = parsed(timeline_drawing([_span(1, duration_s=0.0)]))
    assert _bars(root)[0][1] == 2.0


def test_an_empty_timeline_is_drawn() -> None:
    """A timeline without spans has a valid picture, and its text says so."""
    drawing = timeline_drawing([])
    parsed(drawing)
    assert drawing.text == "No spans: nothing was timed."


def test_the_timeline_of_a_run_has_all_its_spans(bench: Bench) -> None:
    """The timeline of a run has a bar for each span of its trace, with step and tool."""
    run = bench.run([{"tool": "file_read", "args": {"path": "notes.txt"}}, END])
    drawing = run.timeline()
    assert len(_bars(parsed(drawing))) == len(run.trace)
    assert "execute tool 1 file_read" in drawing.text
