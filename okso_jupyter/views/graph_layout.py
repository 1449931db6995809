"""Layout of a plan's drawing: boxes in layers from top to bottom, lines around them.

A line leaves its box at the bottom, runs through the gap below the layer, and enters its target
at the top, through the gap above it. If these are two gaps, a lane beside all boxes connects
them. So no line ever crosses a box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.plan_graph import Edge, PlanGraph

BOX_WIDTH: Final = 224.0
BOX_HEIGHT: Final = 74.0
_MARGIN: Final = 12.0
_BESIDE: Final = 3
_COLUMN_GAP: Final = 26.0
_ROW_GAP: Final = 12.0
_BAND_TOP: Final = 20.0
_BAND_SIDE: Final = 14.0
_GAP: Final = 22.0
_PITCH: Final = 7.0
#: Most lines beside each other in one gap or lane; further lines share their positions.
_CHANNELS: Final = 8
_LANES: Final = 12
#: Lines meet a box in its right half, as arrows between layers meet it in the middle.
_PORTS: Final = (0.55, 0.95)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Position of a step.

    Attributes:
        step: The step.
        layer: Its layer, from 0.
        x: Left edge in pixels.
        y: Upper edge in pixels.
        is_top: Whether no other box of its layer is above it.
        is_bottom: Whether none is below it.
    """

    step: Step
    layer: int
    x: float
    y: float
    is_top: bool
    is_bottom: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """The background of a layer; with a single box, it is that box.

    Attributes:
        x: Left edge in pixels.
        y: Upper edge in pixels.
        width: In pixels.
        height: In pixels.
        count: Number of steps on it.
    """

    x: float
    y: float
    width: float
    height: float
    count: int


@dataclass(slots=True, kw_only=True)
class Layout:
    """Positions of all parts of a plan's drawing.

    Attributes:
        graph: The plan.
        width: In pixels.
        height: In pixels.
        boxes: Position of each step, by its id.
        bands: One per layer.
        gaps: Upper edge of the gap above each layer, and of the one below the last.
    """

    graph: PlanGraph
    width: float = 0.0
    height: float = 0.0
    boxes: dict[int, Box] = field(default_factory=dict)
    bands: list[Band] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, graph: PlanGraph) -> Layout:
        """Return the layout of a plan."""
        layout = cls(graph=graph)
        crowded = _crowded(graph)
        widest = max(_width(layer) for layer in graph.layers)
        y = _MARGIN
        for number, layer in enumerate(graph.layers):
            layout.gaps.append(y)
            y += _gap_height(crowded[number]) if number or crowded[number] else 0.0
            y = layout._place(number, layer, _MARGIN + widest / 2, y)
        layout.gaps.append(y)
        layout.height = y + _MARGIN + (_gap_height(crowded[len(graph.layers)]) - _GAP)
        lanes = min(_LANES, len(layout._far()))
        layout.width = 2 * _MARGIN + widest + _PITCH * (lanes + 1 if lanes else 0)
        return layout

    def _place(self, number: int, layer: Sequence[Step], middle: float, y: float) -> float:
        """Place one layer below `y`, and return its lower edge."""
        many = len(layer) > 1
        rows = [layer[start : start + _BESIDE] for start in range(0, len(layer), _BESIDE)]
        width = _width(layer)
        height = len(rows) * (BOX_HEIGHT + _ROW_GAP) - _ROW_GAP
        height += _BAND_TOP + _BAND_SIDE if many else 0.0
        self.bands.append(
            Band(x=middle - width / 2, y=y, width=width, height=height, count=len(layer))
        )
        top = y + (_BAND_TOP if many else 0.0)
        left = middle - _row_width(len(rows[0])) / 2
        for place, row in enumerate(rows):
            for column, step in enumerate(row):
                self.boxes[step.id] = Box(
                    step=step,
                    layer=number,
                    x=left + column * (BOX_WIDTH + _COLUMN_GAP),
                    y=top + place * (BOX_HEIGHT + _ROW_GAP),
                    is_top=place == 0,
                    is_bottom=place == len(rows) - 1,
                )
        return y + height

    def follows(self) -> Iterator[tuple[Band, Band]]:
        """Yield pairs of adjacent layers whose order is not shown by an edge for every step."""
        tied = {(self.boxes[e.source].layer, e.target) for e in self.graph.edges}
        for number, layer in enumerate(self.graph.layers[1:]):
            if any((number, step.id) not in tied for step in layer):
                yield self.bands[number], self.bands[number + 1]

    def routes(self) -> Iterator[tuple[Edge, list[Point]]]:
        """Yield the corner points of every line."""
        used = Counter[int]()
        lanes = {edge: place % _LANES for place, edge in enumerate(self._far())}
        right = max(band.x + band.width for band in self.bands)
        out = _ports(self.graph.edges, [edge.source for edge in self.graph.edges])
        into = _ports(self.graph.edges, [edge.target for edge in self.graph.edges])
        for edge in self.graph.edges:
            source, target = self.boxes[edge.source], self.boxes[edge.target]
            points = _leaving(source, out[edge])
            below = self._channel(source.layer + 1, used)
            points.append((points[-1][0], below))
            ends = _entering(target, into[edge])
            if edge in lanes:
                lane = right + _PITCH * (lanes[edge] + 1)
                above = self._channel(target.layer, used)
                points += [(lane, below), (lane, above), (ends[0][0], above)]
            else:
                points.append((ends[0][0], below))
            yield edge, points + ends

    def _far(self) -> list[Edge]:
        """Return the lines that need a lane."""
        return [edge for edge in self.graph.edges
                if self.boxes[edge.target].layer != self.boxes[edge.source].layer + 1]  # fmt: skip

    def _channel(self, gap: int, used: Counter[int]) -> float:
        """Return the y position of the next free channel of a gap."""
        used[gap] += 1
        return self.gaps[gap] + _GAP / 2 + _PITCH * ((used[gap] - 1) % _CHANNELS)


def _crowded(graph: PlanGraph) -> Counter[int]:
    """Return the number of lines in each gap; gap 0 is above layer 0."""
    layer_of = {step.id: number for number, layer in enumerate(graph.layers) for step in layer}
    crowded = Counter[int]()
    for edge in graph.edges:
        crowded.update({layer_of[edge.source] + 1, layer_of[edge.target]})
    return crowded


def _gap_height(lines: int) -> float:
    return _GAP + _PITCH * min(lines, _CHANNELS)


def _row_width(count: int) -> float:
    return count * (BOX_WIDTH + _COLUMN_GAP) - _COLUMN_GAP


def _width(layer: Sequence[Step]) -> float:
    """Return the width of a layer in pixels, including its band."""
    side = _BAND_SIDE if len(layer) > 1 else 0.0
    return _row_width(min(len(layer), _BESIDE)) + 2 * side


def _ports(edges: Sequence[Edge], ends: Sequence[int]) -> dict[Edge, float]:
    """Return where along its box each line starts or ends, 0 to 1."""
    counts, seen = Counter(ends), Counter[int]()
    low, high = _PORTS
    ports = {}
    for edge, end in zip(edges, ends, strict=True):
        seen[end] += 1
        ports[edge] = low + (high - low) * seen[end] / (counts[end] + 1)
    return ports


def _leaving(box: Box, port: float) -> list[Point]:
    """Return the points by which a line leaves the row of its box."""
    if box.is_bottom:
        return [(box.x + port * BOX_WIDTH, box.y + BOX_HEIGHT)]
    y, x = box.y + port * BOX_HEIGHT, box.x + BOX_WIDTH
    return [(x, y), (x + _COLUMN_GAP * 0.3, y)]


def _entering(box: Box, port: float) -> list[Point]:
    """Return the points by which a line enters its box from the gap above its layer."""
    if box.is_top:
        return [(box.x + port * BOX_WIDTH, box.y)]
    y = box.y + port * BOX_HEIGHT
    return [(box.x - _COLUMN_GAP * 0.3, y), (box.x, y)]
