"""A plan as a drawing shows every step and edge, also in its text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter import Plan
from okso_jupyter.plan.live import Live
from okso_jupyter.plan.plan_graph import graph_of
from okso_jupyter.views.graph_drawing import plan_drawing
from okso_jupyter.views.graph_layout import BOX_HEIGHT, BOX_WIDTH, Box, Layout, Point
from tests.bench import END, Bench
from tests.each_row import each_row
from tests.hostile import STRINGS
from tests.views.hostile_texts import TEXTS
from tests.views.pictures import parsed, texts, titles

PLAN = [
    {"tool": "file_read", "args": {"path": "a.txt"}, "title": "Not shown"},
    {"tool": "file_search", "args": {"query": "b"}, "parallel": True, "depends_on": [1]},
    {"tool": "file_search", "args": {"query": "c"}, "parallel": True},
    {"tool": "terminal", "args": {}, "parallel": True, "depends_on": [2]},
    {"tool": "file_write", "args": {}, "condition": "step_4_failed", "replaces": 4},
    {"tool": "final_answer", "args": {}, "depends_on": [1]},
]


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Plans of up to twenty steps with random valid edges in any direction."""
    count = draw(st.integers(1, 20))
    order = draw(st.permutations(range(1, count + 1)))
    rank = {step: place for place, step in enumerate(order)}
    steps = []
    for number in range(1, count + 1):
        earlier = [other for other in order if rank[other] < rank[number]]
        some = st.sampled_from(earlier) if earlier else st.nothing()
        step: dict[str, Any] = {
            "id": number,
            "tool": "terminal",
            "title": draw(TEXTS),
            "parallel": draw(st.booleans()),
        }
        if earlier:
            step["depends_on"] = draw(st.lists(some, max_size=3, unique=True))
        if len(earlier) > 0 and draw(st.booleans()):
            step["condition"] = (
                f"step_{draw(some)}_{draw(st.sampled_from(['failed', 'succeeded']))}"
            )
        if len(earlier) > 0 and draw(st.booleans()):
            step["replaces"] = draw(some)
        steps.append(step)
    return Plan.from_dict({"steps": steps})


def _crosses(first: Point, second: Point, box: Box) -> bool:
    """Return whether a horizontal or vertical line crosses the inside of a box."""
    (x1, y1), (x2, y2) = sorted((first, second))
    low, high = sorted((y1, y2))
    inside = 0.01
    return (
        x2 > box.x + inside
        and x1 < box.x + BOX_WIDTH - inside
        and high > box.y + inside
        and low < box.y + BOX_HEIGHT - inside
    )


@given(plans())
def test_layers_are_a_valid_execution_order(plan: Plan) -> None:
    """Every step is in exactly one layer, below all steps that it depends on."""
    graph = graph_of(plan)
    layer = {step.id: place for place, row in enumerate(graph.layers) for step in row}
    assert sorted(layer) == sorted(step.id for step in plan.steps)
    assert all(layer[e.source] < layer[e.target] for e in graph.edges if e.kind != "replaces")
    for row in graph.layers:
        assert len(row) == 1 or all(step.parallel for step in row)


@given(plans())
def test_lines_cross_no_boxes_and_stay_inside_the_picture(plan: Plan) -> None:
    """Boxes do not overlap, lines avoid them, and all of them are inside the picture.

    Lines are horizontal or vertical.
    """
    layout = Layout.of(graph_of(plan))
    boxes = list(layout.boxes.values())
    for number, box in enumerate(boxes):
        assert 0 <= box.x <= layout.width - BOX_WIDTH
        assert 0 <= box.y <= layout.height - BOX_HEIGHT
        for other in boxes[:number]:
            apart = abs(box.x - other.x) >= BOX_WIDTH or abs(box.y - other.y) >= BOX_HEIGHT
            assert apart, (box, other)
    routes = list(layout.routes())
    assert len(routes) == len(layout.graph.edges)
    for _, points in routes:
        for first, second in pairwise(points):
            assert first[0] == second[0] or first[1] == second[1]
            assert 0 <= second[0] <= layout.width
            assert 0 <= second[1] <= layout.height
            assert not any(_crosses(first, second, box) for box in boxes)


@given(plans())
def test_every_picture_is_safe_xml_with_every_step(plan: Plan) -> None:
    """Any titles result in safe XML with all boxes and with the text of all edges."""
    drawing = plan_drawing(plan)
    root = parsed(drawing)
    numbers = [f"{step.id}. terminal" for step in plan.steps]
    assert sorted(numbers) == sorted(line for line in texts(root) if line in numbers)
    for edge in graph_of(plan).edges:
        assert edge.words in titles(root)
        assert edge.words in drawing.text


@each_row("text", STRINGS)
def test_hostile_names_are_escaped(text: str) -> None:
    """Hostile titles, thoughts, tools and arguments add no script or image."""
    plan = Plan.from_dict(
        {"title": text, "steps": [{"tool": text, "thought": text, "args": {text: text}}]}
    )
    drawing = plan_drawing(plan)
    parsed(drawing)
    assert "<script" not in drawing.html.lower()
    assert "<img" not in drawing.html.lower()


def test_the_text_lists_layers_edges_and_arguments() -> None:
    """The text lists the steps in execution order with arguments and dependencies."""
    drawing = plan_drawing(Plan.from_dict({"steps": PLAN}))
    assert drawing.text.split("\n") == [
        "Plan of 6 steps",
        "1. file_read: Read a.txt; path=a.txt",
        "2 side by side:",
        "  2. file_search: Look for “b” in all files; query=b; after 1",
        "  3. file_search: Look for “c” in all files; query=c",
        "4. terminal: Run the command status; after 2",
        "5. file_write: Use file_write; if 4 failed, replaces 4",
        "6. final_answer: Answer from what the steps gave; after 1",
    ]
    assert "2 side by side" in texts(parsed(drawing))


def test_the_graph_of_a_run_shows_how_every_step_ended(bench: Bench) -> None:
    """Each step has its state as icon and text, with the reason of a failure or skip."""
    steps = [
        {"tool": "file_read", "args": {"path": "notes.txt"}},
        {"tool": "file_read", "args": {"path": "gone.txt"}},
        {"tool": "file_read", "args": {"path": "notes.txt"}, "depends_on": [2]},
        END,
    ]
    drawing = bench.run(steps, ON_FAILURE="skip").graph()
    lines = drawing.text.split("\n")
    assert lines[1].startswith("✓ 1. file_read")
    assert "; done, after " in lines[1]
    assert lines[2].startswith("✗ 2. file_read")
    assert "failed" in lines[2]
    assert "gone.txt" in lines[2]
    assert lines[3].startswith("⊘ 3. file_read")
    assert "skipped" in lines[3]
    shown = texts(parsed(drawing))
    assert {"✓ 1. file_read", "✗ 2. file_read", "⊘ 3. file_read", "✓ 4. final_answer"} <= {*shown}


def test_the_graph_of_an_unapproved_run_shows_pending_steps(bench: Bench) -> None:
    """The steps of a run that was not approved are shown as pending."""
    drawing = bench.run([END], approve="deny").graph()
    assert "○ 1. final_answer" in drawing.text
    assert "pending" in drawing.text


@pytest.mark.parametrize("count", [1, 60, 100, 300])
def test_plans_of_all_sizes_can_be_drawn(count: int) -> None:
    """At most 100 steps are drawn; above that the label says so and the text has all."""
    step = {"tool": "t" * 100, "parallel": True}
    drawing = plan_drawing(Plan.from_dict({"steps": [step] * count}))
    root = parsed(drawing)
    boxes = [title for title in titles(root)[1:] if title != "then"]
    assert len(boxes) == min(count, 100)
    assert ("100 of 300 steps drawn" in drawing.label) == (count == 300)
    assert f"{count}. {'t' * 100}" in drawing.text


def test_a_plan_without_steps_is_drawn() -> None:
    """A plan without steps has a valid empty picture, and its text says so."""
    drawing = plan_drawing(Plan(steps=()), Live(run_id="r"))
    parsed(drawing)
    assert drawing.text == "Plan of 0 steps"
