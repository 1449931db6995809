"""A plan as a drawing: steps as boxes, what may run side by side on one ground, why one waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from okso_jupyter.plan.graph import EdgeKind, PlanGraph, graph_of
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.views.drawing import COLOURS, Drawing, element, svg, words
from okso_jupyter.views.graph_layout import BOX_HEIGHT, BOX_WIDTH, Band, Box, Layout, Point
from okso_jupyter.views.plan_text import value_text

#: Steps that are drawn; more could not be read.
MOST_STEPS: Final = 100
#: How a state looks: icon, word, colour.
STATES: Final[Mapping[str, tuple[str, str, str]]] = {
    "pending": ("○", "not run yet", "soft"),
    "in_progress": ("◐", "running", "brand"),
    "completed": ("✓", "completed", "good"),
    "failed": ("✗", "failed", "bad"),
    "skipped": ("⊘", "skipped", "soft"),
    "uncertain": ("?", "uncertain: it may have happened", "doubt"),
    "cancelled": ("⊗", "cancelled", "soft"),
}
_LINES: Final[Mapping[EdgeKind, tuple[str, str]]] = {
    "after": ("soft", ""),
    "if_failed": ("bad", "6 3"),
    "if_succeeded": ("good", "6 3"),
    "replaces": ("doubt", "2 3"),
}
_LINE_HEIGHT: Final = 16.0
_INSET: Final = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How far a step is.

    Attributes:
        state: A `StepState`.
        remark: What else there is to say, such as how long it took or why it failed.
    """

    state: str
    remark: str = ""

    @property
    def words(self) -> str:
        """State and remark on one line."""
        state = STATES[self.state][1]
        return f"{state}, {self.remark}" if self.remark else state


def plan_drawing(plan: Plan, outcomes: Mapping[int, Outcome] | None = None) -> Drawing:
    """Return a plan as a drawing.

    Args:
        plan: The plan.
        outcomes: How far each step is, by id; None for a plan that has not run.
    """
    outcomes, count = outcomes or {}, len(plan.steps)
    whole = graph_of(plan)
    graph = _first_layers(whole)
    drawn = sum(map(len, graph.layers))
    label = f"Plan of {count} step{'' if count == 1 else 's'}"
    if drawn < count:
        label += f", {drawn} of {count} steps drawn"
    if not graph.layers:
        return Drawing(label=label, svg=svg(label, 1, 1, []), text=f"{label}: nothing to draw")
    layout = Layout.of(graph)
    parts = [
        *(part for band in layout.bands for part in _ground(band)),
        *(_order(upper, lower) for upper, lower in layout.follows()),
        *(_line(points, *_LINES[edge.kind], edge.words) for edge, points in layout.routes()),
        *(_box(box, graph, outcomes.get(box.step.id)) for box in layout.boxes.values()),
    ]
    drawing = svg(label, layout.width, layout.height, parts)
    return Drawing(label=label, svg=drawing, text=f"{label}\n{_in_words(whole, outcomes)}")


def _first_layers(graph: PlanGraph) -> PlanGraph:
    """Return the part of a plan that is drawn, with the lines within it."""
    room, layers = MOST_STEPS, []
    for layer in graph.layers:
        layers.append(layer[:room])
        room -= len(layers[-1])
    drawn = {step.id for layer in layers for step in layer}
    edges = (edge for edge in graph.edges if {edge.source, edge.target} <= drawn)
    return PlanGraph(layers=tuple(filter(None, layers)), edges=tuple(edges))


def _ground(band: Band) -> Iterator[Element]:
    """Yield what steps stand on that may run side by side."""
    if band.count == 1:
        return
    style = f"fill:{COLOURS['band']};stroke:{COLOURS['line']}"
    place = {"x": band.x, "y": band.y, "width": band.width, "height": band.height}
    yield element("rect", **place, rx=6, style=style)
    label = f"{band.count} side by side"
    yield words(label, band.x + _INSET, band.y + 15, width=band.width, colour="soft")


def _order(upper: Band, lower: Band) -> Element:
    """Return the arrow that says that one layer follows another."""
    x = upper.x + upper.width / 2
    return _line([(x, upper.y + upper.height), (x, lower.y)], "line", "", "then")


def _line(points: Sequence[Point], colour: str, dashes: str, title: str) -> Element:
    """Return a line with a head, and what it means in words."""
    (x, y), is_level = points[-1], points[-2][1] == points[-1][1]
    if is_level:
        head = f"M {x - 6:.1f} {y - 4:.1f} L {x:.1f} {y:.1f} L {x - 6:.1f} {y + 4:.1f} Z"
    else:
        head = f"M {x - 4:.1f} {y - 6:.1f} L {x:.1f} {y:.1f} L {x + 4:.1f} {y - 6:.1f} Z"
    path = " L ".join(f"{x:.1f} {y:.1f}" for x, y in points)
    style = (
        f"fill:none;stroke:{COLOURS[colour]};stroke-width:1.5;stroke-dasharray:{dashes or 'none'}"
    )
    return element(
        "g",
        element("title", title),
        element("path", d=f"M {path}", style=style),
        element("path", d=head, style=f"fill:{COLOURS[colour]}"),
    )


def _box(box: Box, graph: PlanGraph, outcome: Outcome | None) -> Element:
    """Return a step: number and tool, what it is for, how far it is, what it waits for."""
    step, x, width = box.step, box.x + _INSET, BOX_WIDTH - 1.5 * _INSET
    icon, _, colour = STATES[outcome.state] if outcome else ("", "", "soft")
    lines = [
        (f"{icon} {step.id}. {step.tool}".lstrip(), "ink", "font-weight:600"),
        (step.label, "ink", ""),
        (outcome.words if outcome else _arguments(step), "soft", ""),
        (_ties(step, graph), "soft", "font-style:italic"),
    ]
    place = {"x": box.x, "y": box.y, "height": BOX_HEIGHT}
    frame = f"fill:{COLOURS['paper']};stroke:{COLOURS[colour]};stroke-width:1.5"
    return element(
        "g",
        element("title", _step_in_words(step, graph, outcome)),
        element("rect", **place, width=BOX_WIDTH, rx=4, style=frame),
        element("rect", **place, width=5, rx=2, style=f"fill:{COLOURS[colour]}"),
        *(
            words(text, x, box.y + _LINE_HEIGHT * (number + 1), width=width, colour=ink, look=look)
            for number, (text, ink, look) in enumerate(lines)
            if text
        ),
    )


def _arguments(step: Step) -> str:
    return ", ".join(f"{name}={value_text(value)}" for name, value in step.args.items())


def _ties(step: Step, graph: PlanGraph) -> str:
    """Return what a step waits for and stands in for, in words."""
    return ", ".join(edge.words for edge in graph.into(step.id))


def _step_in_words(step: Step, graph: PlanGraph, outcome: Outcome | None) -> str:
    """Return all that a box says, on one line."""
    icon = f"{STATES[outcome.state][0]} " if outcome else ""
    parts = (
        f"{icon}{step.id}. {step.tool}: {step.label}",
        outcome.words if outcome else _arguments(step),
        _ties(step, graph),
    )
    return "; ".join(" ".join(part.split()) for part in parts if part)


def _in_words(graph: PlanGraph, outcomes: Mapping[int, Outcome]) -> str:
    """Return a plan as lines, in the order in which its steps can run."""
    lines = []
    for layer in graph.layers:
        if len(layer) > 1:
            lines.append(f"{len(layer)} side by side:")
        indent = "  " if len(layer) > 1 else ""
        lines += [f"{indent}{_step_in_words(s, graph, outcomes.get(s.id))}" for s in layer]
    return "\n".join(lines)
