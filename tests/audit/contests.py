"""Synthetic scoreboards for the audit tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from okso_jupyter.audit.scoreboard import Scoreboard
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Candidate, Finding, Scorecard

RULES: Final = ("length", "coverage", "repetition", "agreement")


def contest_of(
    points: Sequence[Sequence[float]],
    *,
    weights: Sequence[float] | None = None,
    ties: Sequence[float] | None = None,
) -> Scoreboard:
    """Return a scoreboard of candidates with these unweighted points.

    Args:
        points: One row per candidate, one column per rule.
        weights: One per rule; 1 where none are given.
        ties: The tie-breakers; 0 where none are given.
    """
    rules = RULES[: len(points[0])]
    named = dict(zip(rules, weights or [1.0] * len(rules), strict=True))
    return Scoreboard(
        sampled=tuple(
            candidate(place, row, named, ties[place - 1] if ties else 0.0)
            for place, row in enumerate(points, start=1)
        )
    )


def candidate(
    index: int, points: Sequence[float], weights: dict[str, float], tie: float = 0.0
) -> Candidate:
    """Return a candidate with these points and a unique plan."""
    findings = [
        Finding(
            code=f"T{place}", rule=rule, count=0, weight=1.0, points=float(value), reason="made up",
            raw_points=float(value),
        )
        for place, (rule, value) in enumerate(zip(weights, points, strict=True))
    ]  # fmt: skip
    plan = Plan(steps=(Step(id=1, tool="final_answer", args={"input": str(index)}),))
    return Candidate(
        index=index,
        plan=plan,
        response=json.dumps(plan.to_dict()),
        seed=index,
        temperature=0.7,
        output_tokens=10,
        duration_s=1.0,
        scorecard=Scorecard.of(findings, tie).weighed(weights),
    )


#: Points as rules give them: whole ones, halves, and two decimals.
_points = st.integers(-40, 40).map(float) | st.integers(-4000, 4000).map(lambda n: n / 100)
_weights = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 1.0, 1.0, 1.5, 2.0, 3.0])


@st.composite
def contests(draw: st.DrawFn, most: int = 5) -> Scoreboard:
    """Draw scoreboards of a few candidates and rules."""
    rules = draw(st.integers(1, len(RULES)))
    row = st.lists(_points, min_size=rules, max_size=rules)
    points = draw(st.lists(row, min_size=2, max_size=most))
    weights = draw(st.lists(_weights, min_size=rules, max_size=rules))
    ties = draw(st.lists(st.integers(0, 3).map(float), min_size=len(points), max_size=len(points)))
    return contest_of(points, weights=weights, ties=ties)
