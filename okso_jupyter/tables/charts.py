"""Charts: the result of a query as a picture, drawn by matplotlib in the child process."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from okso_jupyter.tables.column_kinds import month_in
from okso_jupyter.tables.delimited import UnreadableError
from okso_jupyter.tables.labels import group_label
from okso_jupyter.tables.query import Query

_INCHES: Final = (7.0, 4.0)
_DOTS_PER_INCH: Final = 110
#: More bars cannot be told apart.
_MOST_BARS: Final = 60
_MOST_LABEL_CHARS: Final = 24
#: Labels of more characters than this in all are written aslant.
_ASLANT_CHARS: Final = 70
#: Points beyond which each is drawn as a dot.
_MANY_POINTS: Final = 60
#: More slices cannot be told apart.
_MOST_SLICES: Final = 12
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def undrawable(query: Query, table: Mapping[str, Any]) -> str:
    """Return why a result, given as for `draw`, cannot be drawn; "" if it can."""
    if query.chart != "pie":
        return ""
    rows = [row for row in table["rows"] if isinstance(row[1], (int, float))]
    below = [row[0] for row in rows if row[1] < 0]
    if below:
        return f"a pie chart has no negative slices, and {_text(query, below[0])} is below zero"
    return "" if any(row[1] for row in rows) else "a pie chart of nothing but zeros has no slices"


def draw(query: Query, table: Mapping[str, Any], path: str) -> None:
    """Draw a result.

    Args:
        query: The query, with a chart.
        table: "columns", "rows" (JSON values), "dates" (columns of ISO dates) and "months"
            (columns of months as written) of its result.
        path: The PNG file that is written.

    Raises:
        UnreadableError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl  # noqa: PLC0415  an extra, and most questions ask for no chart
        from matplotlib.figure import Figure  # noqa: PLC0415  see above
    except ImportError as error:
        msg = "a chart needs matplotlib, which is not installed"
        raise UnreadableError(msg) from error
    # texts are data: a dollar sign begins no formula
    with mpl.rc_context({"text.parse_math": False}):
        figure = Figure(figsize=_INCHES, layout="constrained")
        axes = figure.add_subplot()
        axes.spines[["top", "right"]].set_visible(False)
        _DRAWN[query.chart](axes, query, table)
        figure.savefig(path, dpi=_DOTS_PER_INCH)


def _histogram(axes: Any, query: Query, table: Mapping[str, Any]) -> None:  # noqa: ANN401  matplotlib, loaded late
    starts, ends, counts = zip(*table["rows"], strict=True)
    widths = [end - start for start, end in zip(starts, ends, strict=True)]
    axes.bar(starts, counts, [width or 1 for width in widths], align="edge", edgecolor="white")
    axes.set(xlabel=query.columns[0], ylabel="number of rows")


def _scatter(axes: Any, query: Query, table: Mapping[str, Any]) -> None:  # noqa: ANN401  see above
    pairs = [[_number(cell) for cell in row] for row in table["rows"]]
    points = [pair for pair in pairs if None not in pair]
    axes.scatter(*zip(*points, strict=True) if points else ((), ()), s=18, alpha=0.7)
    axes.set(xlabel=query.columns[0], ylabel=query.columns[1])


def _line(axes: Any, query: Query, table: Mapping[str, Any]) -> None:  # noqa: ANN401  see above
    rows = [row for row in table["rows"] if row[0] is not None]
    places, labels = _places(query, table, rows)
    marker = "o" if len(rows) < _MANY_POINTS else ""
    for series, name in enumerate(table["columns"][1:], start=1):
        values = [_plain(row[series]) for row in rows]
        axes.plot(places, values, marker=marker, markersize=4, label=name)
    if labels:
        _label(axes, labels)
    elif places and isinstance(places[0], datetime):
        _date(axes)
    _name(axes, query, table)


def _bar(axes: Any, query: Query, table: Mapping[str, Any]) -> None:  # noqa: ANN401  see above
    rows = table["rows"][:_MOST_BARS]
    names = table["columns"][1:]
    width = 0.8 / len(names)
    for series, name in enumerate(names):
        places = [place + (series - (len(names) - 1) / 2) * width for place in range(len(rows))]
        axes.bar(places, [_plain(row[series + 1]) for row in rows], width, label=name)
    _label(axes, [_text(query, row[0]) for row in rows])
    _name(axes, query, table)
    if len(table["rows"]) > len(rows):
        axes.set_title(f"the first {len(rows)} of {len(table['rows']):,}")


def _pie(axes: Any, query: Query, table: Mapping[str, Any]) -> None:  # noqa: ANN401  see above
    slices = _slices([(_text(query, row[0]), row[1]) for row in table["rows"] if row[1]])
    labels, values = zip(*slices, strict=True)
    axes.pie(
        values,
        labels=labels,
        autopct="%.0f%%",
        startangle=90,
        counterclock=False,
        wedgeprops={"edgecolor": "white"},
    )
    axes.set_title(table["columns"][1])


def _slices(parts: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the parts of a whole; of many, the smallest are one."""
    if len(parts) <= _MOST_SLICES:
        return list(parts)
    places = sorted(range(len(parts)), key=lambda place: -parts[place][1])
    largest, rest = places[: _MOST_SLICES - 1], places[_MOST_SLICES - 1 :]
    other = math.fsum(parts[place][1] for place in rest)
    return [*(parts[place] for place in sorted(largest)), ("other", other)]


_DRAWN: Final[Mapping[str, Callable[[Any, Query, Mapping[str, Any]], None]]] = {
    "bar": _bar,
    "line": _line,
    "pie": _pie,
    "scatter": _scatter,
    "histogram": _histogram,
}


def _places(
    query: Query, table: Mapping[str, Any], rows: Sequence[Sequence[Any]]
) -> tuple[Sequence[Any], list[str]]:
    """Return where the points of a line stand, and their labels where they stand side by side."""
    cells = [row[0] for row in rows]
    if table["columns"][0] in table.get("dates", ()):
        return [datetime.fromisoformat(str(cell)) for cell in cells], []
    if table["columns"][0] in table.get("months", ()):
        months = [found for cell in cells if (found := month_in(str(cell)))]
        if len(months) == len(cells):
            return months, []
    if all(isinstance(cell, (int, float)) for cell in cells) and not query.part:
        return cells, []
    return range(len(cells)), [_text(query, cell) for cell in cells]


def _label(axes: Any, labels: Sequence[str]) -> None:  # noqa: ANN401  see above
    aslant = sum(map(len, labels)) > _ASLANT_CHARS
    style = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if aslant else {}
    axes.set_xticks(range(len(labels)), labels, **style)


def _date(axes: Any) -> None:  # noqa: ANN401  see above
    """Label an axis of dates with the parts that change, so that no two labels overlap."""
    from matplotlib.dates import (  # noqa: PLC0415  slow
        AutoDateLocator,
        ConciseDateFormatter,
    )

    locator = AutoDateLocator()  # type: ignore[no-untyped-call]  # untyped there
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]  # see above


def _name(axes: Any, query: Query, table: Mapping[str, Any]) -> None:  # noqa: ANN401  see above
    """Name the axes; several series are named in a legend."""
    first, *names = table["columns"]
    axes.set_xlabel(group_label(query) if query.by else first)
    if len(names) == 1:
        axes.set_ylabel(names[0])
    else:
        axes.legend()


def _text(query: Query, cell: object) -> str:
    """Return the label of a group or row."""
    if query.part == "weekday" and isinstance(cell, (int, float)):
        return _WEEKDAYS[int(cell) - 1]
    text = " ".join(str("-" if cell is None else cell).split())
    return text if len(text) <= _MOST_LABEL_CHARS else f"{text[: _MOST_LABEL_CHARS - 1]}…"


def _number(cell: object) -> float | None:
    return cell if isinstance(cell, (int, float)) else None


def _plain(cell: object) -> float:
    """Return a value that is drawn; a missing one leaves a gap."""
    return cell if isinstance(cell, (int, float)) else float("nan")
