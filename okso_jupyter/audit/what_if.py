"""WhatIf: a panel with a slider for every weight that ranks the candidates in place.

It is HTML with a script, not a widget: the output contains everything it needs, so it works
without a kernel and in an exported page, and leaves no widget state in a saved notebook. Where
scripts do not run (GitHub, an untrusted notebook), the same tables are shown without sliders.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.audit.intervals import shown
from okso_jupyter.audit.scoreboard import Scoreboard, is_same_plan
from okso_jupyter.audit.weight_ranges import Range, ranges
from okso_jupyter.legible import visible
from okso_jupyter.plan.records import Candidate
from okso_jupyter.views.text import NO_MATH, escape

if TYPE_CHECKING:
    import pandas as pd

_STATIC: Final = resources.files("okso_jupyter.audit") / "static"
#: Minimum of a slider's upper end, and its maximum unless the weight itself is large.
_LEAST_REACH: Final = 3.0
_MOST_REACH: Final = 10.0


class WhatIf:
    """The what-if panel of one planning call.

    Args:
        scoreboard: The candidates.
    """

    def __init__(self, scoreboard: Scoreboard) -> None:
        self._contest = scoreboard
        self._ranges = tuple(ranges(scoreboard))

    @property
    def ranges(self) -> pd.DataFrame:
        """One row per rule: the weights under which the winner still wins, and who wins beyond."""
        from okso_jupyter.frames.audit_tables import ranges_frame  # noqa: PLC0415  pandas is slow

        return ranges_frame([_row(one) for one in self._ranges])

    @property
    def sentence(self) -> str:
        """The winner and its lead, in words."""
        ranked = self._contest.ranked(self._contest.weights)
        first = ranked[0]
        if len(ranked) == 1:
            return f"Candidate {first.index} is the only one: no weights change the choice."
        score = first.scorecard.score
        head = f"Candidate {first.index} wins with {shown(score)} points"
        second = next((c for c in ranked if not is_same_plan(c.plan, first.plan)), None)
        if second is None:
            return f"{head}; the others are the same plan."
        lead = score - second.scorecard.score
        ahead = f"{shown(lead)} more than" if lead else "as many as"
        return f"{head}, {ahead} candidate {second.index}."

    def __repr__(self) -> str:
        lines = (f"  {r.rule} {shown(r.weight)}: {r.words}{_then(r)}" for r in self._ranges)
        head = "It wins while one weight, the others as they are, is:"
        listed = (head, *lines) if len(self._contest.contenders) > 1 else ()
        return visible("\n".join((self.sentence, *listed)))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Return the panel as HTML and its contents as text."""
        del include, exclude
        return {"text/html": self._html(), "text/plain": repr(self)}

    def _html(self) -> str:
        style = f"<style>{_file('what_if.css')}</style>"
        said = f"<p class='okso-said' role='status'>{escape(self.sentence)}</p>"
        if len(self._contest.contenders) == 1:
            return f"{style}<div class='okso-what-if {NO_MATH}'>{said}</div>"
        script = f"<script>({_file('what_if.js').strip()})({_in_script(self._data())})</script>"
        inner = f"{said}{self._weights_html()}{self._ranking_html()}"
        region = "role='region' aria-label='What if the weights were different?'"
        return f"{style}<div class='okso-what-if {NO_MATH}' {region}>{inner}{script}</div>"

    def _weights_html(self) -> str:
        """Return a table of the weights with the ranges in which the winner still wins."""
        winner = self._contest.winner.index
        rows = "".join(
            f"<tr><th scope='row'>{escape(one.rule)}</th>"
            f"<td class='okso-weight'>{shown(one.weight)}</td>"
            f"<td class='okso-holds'>{escape(one.words + _then(one))}</td></tr>"
            for one in self._ranges
        )
        heads = _heads("Rule", "Weight", f"Candidate {winner} wins at")
        return (
            "<table class='okso-weights'><caption>Weights; each range with the others as they are"
            f"</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _ranking_html(self) -> str:
        """Return a table of the candidates, best first."""
        ranked = self._contest.ranked(self._contest.weights)
        could_win = {one.index for one in self._contest.contenders}
        rows = "".join(
            f"<tr><td>{rank}</td><td>{c.index}</td><td>{shown(c.scorecard.score)}</td>"
            f"<td>{rank}</td><td>{escape(_outline(c))}</td></tr>"
            for rank, c in enumerate(ranked, start=1)
            if c.index in could_win
        )
        heads = _heads("Rank", "Candidate", "Points", "Rank in the run", "Plan")
        return (
            "<table class='okso-ranking'><caption>Candidates</caption>"
            f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        )

    def _data(self) -> dict[str, Any]:
        """Return the data with which the script ranks the candidates as the scorer does."""
        scoreboard = self._contest
        ranked = [c.index for c in scoreboard.ranked(scoreboard.weights)]
        return {
            "rules": [
                {
                    "name": one.rule,
                    "weight": one.weight,
                    "floor": float(floor),
                    "reach": _reach(one),
                    "holds": one.words + _then(one),
                }
                for one, floor in zip(self._ranges, scoreboard.floors, strict=True)
            ],
            "candidates": [
                {
                    "index": c.index,
                    "tie": c.scorecard.tie_breaker,
                    "points": [found.raw_points for found in c.scorecard.findings],
                    "twin": _twin(scoreboard, c),
                    "rank": ranked.index(c.index) + 1,
                    "plan": visible(_outline(c)),
                }
                for c in scoreboard.contenders
            ],
        }


def _twin(scoreboard: Scoreboard, candidate: Candidate) -> int:
    """Return the number of the first candidate with the same plan."""
    others = scoreboard.contenders
    return next(other.index for other in others if is_same_plan(other.plan, candidate.plan))


def _row(one: Range) -> dict[str, Any]:
    """Return a range as a row of a table."""
    low, high = (None, None) if one.held is None else (one.held.low, one.held.high)
    return {
        "rule": one.rule,
        "weight": one.weight,
        "holds": one.words,
        "low": None if low is None else float(low.at),
        "high": None if high is None else float(high.at),
        "below": one.below and one.below.index,
        "above": one.above and one.above.index,
    }


def _then(one: Range) -> str:
    """Return in words who wins beyond a range; empty if it has no ends."""
    return "".join(_beyond(one))


def _beyond(one: Range) -> Iterator[str]:
    if one.below is not None:
        yield f"; less: candidate {one.below.index}"
    if one.above is not None:
        yield f"; more: candidate {one.above.index}"


def _heads(*names: str) -> str:
    return "".join(f"<th scope='col'>{name}</th>" for name in names)


def _outline(candidate: Candidate) -> str:
    """Return the tools of a plan in order."""
    return " → ".join(step.tool for step in candidate.plan.steps)


def _reach(one: Range) -> float:
    """Return a slider's upper end: beyond the range's upper end unless that is too far away."""
    end = one.held.high if one.held else None
    wanted = max(_LEAST_REACH, 2 * one.weight, 1.25 * float(end.at) if end else 0.0)
    return float(-(-min(wanted, max(_MOST_REACH, 2 * one.weight)) // 1))


@cache
def _file(name: str) -> str:
    return (_STATIC / name).read_text("utf-8")


def _in_script(data: object) -> str:
    """Return JSON that cannot close the script element it is embedded in."""
    return json.dumps(data).replace("<", "\\u003c")
