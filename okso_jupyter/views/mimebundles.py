"""MIME bundles by which a notebook displays a plan, a scorecard, and a planning call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Scorecard
from okso_jupyter.views.graph_drawing import plan_drawing
from okso_jupyter.views.markdown_text import fenced
from okso_jupyter.views.table_html import folded, sheet_html, table_html, table_style
from okso_jupyter.views.table_model import Heading, TableModel
from okso_jupyter.views.table_text import sheet_markdown, sheet_text
from okso_jupyter.views.text import NO_MATH, escape

if TYPE_CHECKING:
    import pandas as pd

_WIDTH: Final = 80


def plan_mimebundle(plan: Plan) -> dict[str, str]:
    """Return a plan as a drawing, with its steps as text."""
    drawing = plan_drawing(plan)
    title = plan.title or plan.request
    head = f"<div class='{NO_MATH}'><b>{escape(title)}</b></div>" if title else ""
    faces = drawing.faces()
    faces["text/html"] = head + faces["text/html"]
    return faces


def scorecard_mimebundle(card: Scorecard) -> dict[str, str]:
    """Return a scorecard as a table: a row per rule with its points, a bar, and the reason."""
    sheet = TableModel(
        headings=(
            Heading(name="rule"),
            Heading(name="points", unit="points", is_figure=True, is_rigid=True),
            Heading(name="reason"),
        ),
        rows=tuple((f.rule, f.points, f.reason) for f in card.findings),
        total_rows=len(card.findings),
        total_columns=3,
        remark=f"{card.score:g} points in all; tie-breaker {card.tie_breaker:g}",
    )
    html = f"{table_style()}<div class='{NO_MATH}'>{sheet_html(sheet)}</div>"
    return {
        "text/plain": sheet_text(sheet, width=_WIDTH),
        "text/markdown": sheet_markdown(sheet),
        "text/html": html,
    }


def planning_mimebundle(
    plan: Plan, words: str, tables: Mapping[str, pd.DataFrame], *, most_rows: int | None
) -> dict[str, str]:
    """Return the result of a planning call: the plan, how it was chosen, and folded tables.

    Args:
        plan: The chosen plan.
        words: The plan as lines, and how it was chosen.
        tables: Frames by title; those without rows are left out.
        most_rows: Most rows of a table that are shown; None is all.
    """
    tail = "".join(
        folded(f"{title} ({len(table):,})", table_html(table, most_rows=most_rows))
        for title, table in tables.items()
        if len(table)
    )
    drawing = plan_drawing(plan)
    html = f"<pre style='white-space:pre-wrap'>{escape(words)}</pre>{drawing.html}{tail}"
    return {
        "text/plain": words,
        "text/markdown": fenced(words),
        "text/html": f"{table_style()}<div class='{NO_MATH}'>{html}</div>",
    }
