"""Drawing of the spans of a run: one row each, nested, on one scale of seconds.

Times in which nothing ran, such as the night between planning and running, are left out and
marked: otherwise they would fill the drawing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from xml.etree.ElementTree import Element

from okso_jupyter.amounts import counted, duration
from okso_jupyter.views.drawing import COLOURS, Drawing, element, svg, words

#: Default of the spans shown.
MOST_SPANS: Final = 60
#: Icon and colour by status. A span is recorded when it ends; one that never ended is open.
_STATUS: Final[Mapping[str, tuple[str, str]]] = {
    "ok": ("✓", "brand"),
    "error": ("✗", "bad"),
    "open": ("◐", "doubt"),
}
_TELLING: Final = ("step_id", "tool", "role", "query")
#: Name of the spans in which a decision was waited for.
_WAIT: Final = "approval"
_LABELS: Final = 250.0
_BARS: Final = 430.0
_FIGURES: Final = 130.0
_ROW: Final = 20.0
_HEAD: Final = 26.0
_INDENT: Final = 12.0
_TICKS: Final = 5
#: Shorter idle times are not left out.
_SHORT_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One span with its position.

    Attributes:
        name: What was timed, with the attributes that identify it.
        depth: Number of spans around it.
        start_s: Seconds from the first start to its own.
        duration_s: Seconds it took; for an open one, the known part.
        status: "ok", "error", or "open".
        about: Its other attributes, in words.
    """

    name: str
    depth: int
    start_s: float
    duration_s: float
    status: str
    about: str

    @property
    def is_wait(self) -> bool:
        """Whether it waited for a decision, and nothing ran."""
        return self.name == _WAIT

    @property
    def end_s(self) -> float:
        return self.start_s + self.duration_s

    @property
    def figures(self) -> str:
        """Its duration and status in words."""
        over = "over " if self.status == "open" else ""
        return f"{over}{duration(self.duration_s)}, {self.status}"

    @property
    def words(self) -> str:
        """The whole row as one line."""
        icon = _STATUS.get(self.status, _STATUS["error"])[0]
        line = f"{icon} {self.name}: {self.figures}, began at {self.start_s:.3f} s"
        return f"{line} ({self.about})" if self.about else line


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    """Scale from seconds to pixels, without the times in which nothing ran.

    Attributes:
        pieces: Start and end of every busy time, in seconds from the first start.
    """

    pieces: tuple[tuple[float, float], ...]

    @classmethod
    def over(cls, rows: Sequence[_Row]) -> _Axis:
        """Return the axis that covers all rows, without the times that waited for a decision."""
        pieces: list[tuple[float, float]] = []
        waits = [row for row in rows if row.is_wait]
        for row in sorted(rows, key=lambda row: row.start_s):
            if row.is_wait:
                continue
            if pieces and row.start_s - pieces[-1][1] < _SHORT_S:
                pieces[-1] = (pieces[-1][0], max(pieces[-1][1], row.end_s))
            else:
                pieces.append((row.start_s, row.end_s))
        for wait in waits:
            pieces = [part for piece in pieces for part in _without(piece, wait)]
        return cls(pieces=tuple(pieces))

    @property
    def busy_s(self) -> float:
        """Seconds on the axis."""
        return sum(end - start for start, end in self.pieces)

    def x(self, at_s: float) -> float:
        """Return the position of a moment, in pixels from the left edge."""
        before = sum(min(max(at_s, start), end) - start for start, end in self.pieces)
        return _LABELS + _BARS * (before / self.busy_s if self.busy_s else 0.0)

    def cuts(self) -> Iterator[tuple[float, float]]:
        """Yield each omitted time: the moment before it, and its seconds."""
        for (_, end), (start, _) in pairwise(self.pieces):
            yield end, start - end


def _without(piece: tuple[float, float], wait: _Row) -> Iterator[tuple[float, float]]:
    """Yield what is left of a busy time that contains a wait; a short wait stays in it."""
    start, end = piece
    if wait.duration_s < _SHORT_S or wait.end_s <= start or wait.start_s >= end:
        yield piece
        return
    if wait.start_s > start:
        yield start, wait.start_s
    if wait.end_s < end:
        yield wait.end_s, end


def timeline_drawing(
    spans: Sequence[Mapping[str, Any]], *, most_spans: int = MOST_SPANS
) -> Drawing:
    """Return the spans of a run as a drawing.

    Args:
        spans: Fields of each span, as in `Run.trace`, with `started_at` in ISO 8601.
        most_spans: Most spans to show: outer ones before inner ones, then the longest.
    """
    rows = _rows(spans)
    if not rows:
        label = "Timeline: no spans"
        return Drawing(label=label, svg=svg(label, 1, 1, []), text="No spans: nothing was timed.")
    shown = _outermost(rows, most_spans)
    axis = _Axis.over(rows)
    label = f"Timeline of {counted(len(rows), 'span')} over {duration(axis.busy_s)}"
    if len(shown) < len(rows):
        label += f", {len(shown):,} of {len(rows):,} shown"
    height = _HEAD + _ROW * len(shown) + _ROW / 2
    parts = [
        *_scale(axis, height),
        *(_bar(row, axis, _HEAD + _ROW * place) for place, row in enumerate(shown)),
    ]
    lines = [f"{label}{_left_out(axis)}", *(f"{'  ' * row.depth}{row.words}" for row in shown)]
    drawing = svg(label, _LABELS + _BARS + _FIGURES, height, parts)
    return Drawing(label=label, svg=drawing, text="\n".join(lines))


def _rows(spans: Sequence[Mapping[str, Any]]) -> list[_Row]:
    """Return the spans as rows, each below the span around it."""
    known = {str(span["span_id"]): span for span in [*_never_ended(spans), *spans]}
    within: dict[str, list[Mapping[str, Any]]] = {}
    for span in sorted(known.values(), key=_moment):
        within.setdefault(str(span["parent_id"] or ""), []).append(span)
    first = min(map(_moment, known.values()), default=0.0)
    rows = []
    due = [(span, 0) for span in reversed(within.pop("", []))]
    while due:
        span, depth = due.pop()
        rows.append(_row(span, depth, first))
        inner = within.pop(str(span["span_id"]), [])
        due += [(child, depth + 1) for child in reversed(inner)]
    return rows


def _never_ended(spans: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield spans that contain others but never ended, and so were never recorded."""
    ended = {str(span["span_id"]) for span in spans}
    inner: dict[str, list[Mapping[str, Any]]] = {}
    for span in spans:
        if span["parent_id"] and str(span["parent_id"]) not in ended:
            inner.setdefault(str(span["parent_id"]), []).append(span)
    for span_id, children in inner.items():
        first = min(children, key=_moment)
        yield {
            "span_id": span_id, "parent_id": "", "name": "open span", "status": "open",
            "started_at": first["started_at"], "attributes": {},
            "duration_s": max(_moment(c) + c["duration_s"] for c in children) - _moment(first),
        }  # fmt: skip


def _row(span: Mapping[str, Any], depth: int, first: float) -> _Row:
    attributes = dict(span["attributes"] or {})
    telling = [str(attributes.pop(name)) for name in _TELLING if attributes.get(name) is not None]
    return _Row(
        name=" ".join([str(span["name"]).replace("_", " "), *telling]),
        depth=depth,
        start_s=_moment(span) - first,
        duration_s=max(0.0, float(span["duration_s"])),
        status=str(span["status"]),
        about=", ".join(f"{name} {value}" for name, value in attributes.items()),
    )


def _moment(span: Mapping[str, Any]) -> float:
    """Return when a span started, in seconds of the epoch."""
    return datetime.fromisoformat(str(span["started_at"])).timestamp()


def _outermost(rows: Sequence[_Row], most: int) -> list[_Row]:
    """Return the rows to show, in their order."""
    places = sorted(range(len(rows)), key=lambda at: (rows[at].depth, -rows[at].duration_s))
    return [rows[place] for place in sorted(places[:most])]


def _left_out(axis: _Axis) -> str:
    """Return the omitted time in words."""
    idle = [seconds for _, seconds in axis.cuts()]
    return f"; {duration(sum(idle))} in which nothing ran are left out" if idle else ""


def _scale(axis: _Axis, height: float) -> Iterator[Element]:
    """Yield the axis: seconds at round positions, and marks where times are left out."""
    step = _round_step(axis.busy_s / _TICKS)
    for tick in range(math.floor(axis.busy_s / step) + 1):
        x = _LABELS + _BARS * (tick * step / axis.busy_s if axis.busy_s else 0.0)
        yield _upright(x, height, "line", "")
        yield words(f"{tick * step:g} s", x + 3, 14, width=70, colour="soft")
    for at_s, seconds in axis.cuts():
        mark = _upright(axis.x(at_s), height, "soft", "3 3")
        mark.append(element("title", f"{duration(seconds)} in which nothing ran"))
        yield mark


def _upright(x: float, height: float, colour: str, dashes: str) -> Element:
    style = f"stroke:{COLOURS[colour]};stroke-dasharray:{dashes or 'none'}"
    return element("line", x1=x, x2=x, y1=4, y2=height - 4, style=style)


def _round_step(seconds: float) -> float:
    """Return the next larger 1, 2 or 5 of a power of ten."""
    power = 10.0 ** math.floor(math.log10(max(seconds, 1e-6)))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= seconds * 0.999)


def _bar(row: _Row, axis: _Axis, y: float) -> Element:
    """Return one row: name, bar, and figures."""
    icon, colour = _STATUS.get(row.status, _STATUS["error"])
    start, end = axis.x(row.start_s), axis.x(row.end_s)
    indent = 8 + _INDENT * min(row.depth, 8)
    style = f"fill:{COLOURS[colour]};stroke:{COLOURS[colour]}"
    if row.status == "open":
        style = f"fill:none;stroke:{COLOURS[colour]};stroke-dasharray:4 2"
    return element(
        "g",
        element("title", row.words),
        words(f"{icon} {row.name}", indent, y + 14, width=_LABELS - indent - 8),
        element(
            "rect", x=start, y=y + 4, width=max(2.0, end - start), height=12, rx=2, style=style
        ),
        words(row.figures, _LABELS + _BARS + 10, y + 14, width=_FIGURES - 10, colour="soft"),
    )
