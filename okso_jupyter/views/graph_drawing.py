"""Drawing of a plan: steps as boxes, parallel steps on one band, lines for dependencies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from xml.etree.ElementTree import Element

from okso_jupyter.amounts import counted
from okso_jupyter.plan.live import Live, LiveStep
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.plan_graph import EdgeKind, PlanGraph, graph_of
from okso_jupyter.plan.states import StepState
from okso_jupyter.views.call_sentence import call_sentence
from okso_jupyter.views.drawing import COLOURS, Drawing, element, svg, words
from okso_jupyter.views.graph_layout import BOX_HEIGHT, BOX_WIDTH, Band, Box, Layout, Point
from okso_jupyter.views.live_text import ICONS, standing
from okso_jupyter.views.plan_text import value_text

#: Most steps that are drawn; more would be unreadable.
MOST_STEPS: Final = 100
#: Colour by state, beside its icon and word.
_COLOURS: Final[Mapping[StepState, str]] = {
    StepState.PENDING: "soft",
    StepState.RUNNING: "brand",
    StepState.COMPLETED: "good",
    StepState.FAILED: "bad",
    StepState.SKIPPED: "soft",
    StepState.UNCERTAIN: "doubt",
    StepState.CANCELLED: "soft",
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
class _Picture:
    """A plan with the states of its steps, if it was run.

    Attributes:
        graph: The plan.
        steps: State of each step, by id; empty for a plan that was not run.
        now: The time, for steps that have not ended.
    """

    graph: PlanGraph
    steps: Mapping[int, LiveStep]
    now: datetime

    def icon(self, step: Step) -> str:
        """Return the icon of a step's state; "" before the plan is run."""
        return ICONS[self.steps[step.id].state] if step.id in self.steps else ""

    def colour(self, step: Step) -> str:
        """Return the name of the colour of a step's state."""
        return _COLOURS[self.steps[step.id].state] if step.id in self.steps else "soft"

    def state(self, step: Step) -> str:
        """Return a step's state in words; before the plan is run, its arguments."""
        if step.id not in self.steps:
            return ", ".join(f"{name}={value_text(value)}" for name, value in step.args.items())
        seen = self.steps[step.id]
        words = standing(seen, self.now)
        return f"{words}: {seen.reason}" if seen.reason else words

    def ties(self, step: Step) -> str:
        """Return the relations of a step to earlier steps, in words."""
        return ", ".join(edge.words for edge in self.graph.into(step.id))

    def in_words(self, step: Step) -> str:
        """Return everything about a step on one line."""
        head = f"{self.icon(step)} {step.id}. {step.tool}: {call_sentence(step)}".lstrip()
        parts = (head, self.state(step), self.ties(step))
        return "; ".join(" ".join(part.split()) for part in parts if part)

    def lines(self) -> Iterator[str]:
        """Yield one line per step, in the order in which they can run."""
        for layer in self.graph.layers:
            if len(layer) > 1:
                yield f"{len(layer)} side by side:"
            indent = "  " if len(layer) > 1 else ""
            yield from (f"{indent}{self.in_words(step)}" for step in layer)


def plan_drawing(plan: Plan, live: Live | None = None, *, now: datetime | None = None) -> Drawing:
    """Return a plan as a drawing.

    Args:
        plan: The plan.
        live: State of its run; None for a plan that was not run.
        now: The time, for steps that have not ended; None uses the clock.
    """
    picture = _Picture(
        graph=graph_of(plan),
        steps={step.id: step for step in live.steps} if live else {},
        now=now or datetime.now(UTC),
    )
    count = len(plan.steps)
    label = f"Plan of {counted(count, 'step')}"
    if count > MOST_STEPS:
        label += f", {MOST_STEPS} of {count} steps drawn"
    text = "\n".join([label, *picture.lines()])
    if not count:
        return Drawing(label=label, svg=svg(label, 1, 1, []), text=text)
    layout = Layout.of(_first_layers(picture.graph))
    parts = [
        *(part for band in layout.bands for part in _ground(band)),
        *(_order(upper, lower) for upper, lower in layout.follows()),
        *(_line(points, *_LINES[edge.kind], edge.words) for edge, points in layout.routes()),
        *(_box(box, picture) for box in layout.boxes.values()),
    ]
    return Drawing(label=label, svg=svg(label, layout.width, layout.height, parts), text=text)


def _first_layers(graph: PlanGraph) -> PlanGraph:
    """Return the part of a plan that is drawn, with the edges inside it."""
    room, layers = MOST_STEPS, []
    for layer in graph.layers:
        layers.append(layer[:room])
        room -= len(layers[-1])
    drawn = {step.id for layer in layers for step in layer}
    edges = (edge for edge in graph.edges if {edge.source, edge.target} <= drawn)
    return PlanGraph(layers=tuple(filter(None, layers)), edges=tuple(edges))


def _ground(band: Band) -> Iterator[Element]:
    """Yield the band behind parallel steps."""
    if band.count == 1:
        return
    style = f"fill:{COLOURS['band']};stroke:{COLOURS['line']}"
    place = {"x": band.x, "y": band.y, "width": band.width, "height": band.height}
    yield element("rect", **place, rx=6, style=style)
    label = f"{band.count} side by side"
    yield words(label, band.x + _INSET, band.y + 15, width=band.width, colour="soft")


def _order(upper: Band, lower: Band) -> Element:
    """Return the arrow from one layer to the next."""
    x = upper.x + upper.width / 2
    return _line([(x, upper.y + upper.height), (x, lower.y)], "line", "", "then")


def _line(points: Sequence[Point], colour: str, dashes: str, title: str) -> Element:
    """Return a line with an arrow head, and its meaning as a title."""
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


def _box(box: Box, picture: _Picture) -> Element:
    """Return the box of a step: number and tool, label, state, relations."""
    step, colour = box.step, COLOURS[picture.colour(box.step)]
    lines = [
        (f"{picture.icon(step)} {step.id}. {step.tool}".lstrip(), "ink", "font-weight:600"),
        (call_sentence(step), "ink", ""),
        (picture.state(step), "soft", ""),
        (picture.ties(step), "soft", "font-style:italic"),
    ]
    place = {"x": box.x, "y": box.y, "height": BOX_HEIGHT}
    frame = f"fill:{COLOURS['paper']};stroke:{colour};stroke-width:1.5"
    left, width = box.x + _INSET, BOX_WIDTH - 1.5 * _INSET
    return element(
        "g",
        element("title", picture.in_words(step)),
        element("rect", **place, width=BOX_WIDTH, rx=4, style=frame),
        element("rect", **place, width=5, rx=2, style=f"fill:{colour}"),
        *(
            words(text, left, box.y + _LINE_HEIGHT * row, width=width, colour=ink, look=look)
            for row, (text, ink, look) in enumerate(lines, start=1)
            if text
        ),
    )
