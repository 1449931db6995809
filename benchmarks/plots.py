"""The curves of growth as one CSV each, and as one picture."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.figures import spread
from benchmarks.report import number
from benchmarks.sections.growth import Curve, Point

_PICTURE: Final = "planner-speed.svg"
_COLUMNS: Final = ("median_s", "min_s", "max_s", "prompt_tokens", "output_tokens")


def write(curves: Mapping[Curve, Sequence[Point]], folder: Path) -> list[Path]:
    """Write the curves into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = [_table(curve, points, folder) for curve, points in curves.items()]
    return [*tables, _picture(curves, folder / _PICTURE)]


def _table(curve: Curve, points: Sequence[Point], folder: Path) -> Path:
    file = folder / f"planner-speed-{curve.name}.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([curve.label, *_COLUMNS])
        for point in points:
            taken = spread(point.duration_s)
            figures = [number(value) for value in (taken.middle, taken.low, taken.high)]
            written = round(point.tokens / len(point.duration_s))
            writer.writerow([point.at, *figures, point.prompt_tokens, written])
    return file


def _picture(curves: Mapping[Curve, Sequence[Point]], file: Path) -> Path:
    """Draw the medians with their spread, one panel per curve."""
    from matplotlib import rc_context  # noqa: PLC0415  slow, and only wanted with --plots
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context({"svg.hashsalt": "planner-speed"}):
        figure = Figure(figsize=(4 * len(curves), 3.2), layout="constrained")
        panels = figure.subplots(1, len(curves), squeeze=False)[0]
        for panel, (curve, points) in zip(panels, curves.items(), strict=True):
            at = [point.at for point in points]
            taken = [spread(point.duration_s) for point in points]
            panel.plot(at, [value.middle for value in taken], marker="o")
            panel.fill_between(
                at, [value.low for value in taken], [value.high for value in taken], alpha=0.2
            )
            panel.set_xlabel(curve.label)
            panel.set_ylim(bottom=0)
        panels[0].set_ylabel("seconds for one request")
        figure.savefig(file, metadata={"Date": None})
    return file
