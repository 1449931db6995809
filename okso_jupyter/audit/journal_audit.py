"""JournalAudit: what became of the plans of many runs, by their points and by the rules."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.amounts import counted
from okso_jupyter.audit.planning_outcomes import PlanningOutcome
from okso_jupyter.audit.share_interval import share_interval
from okso_jupyter.views.table_html import table_page
from okso_jupyter.views.text import NO_MATH, escape, visible

if TYPE_CHECKING:
    import pandas as pd

#: Widths of the bins of scores, in points; the smallest that gives few bins is taken.
_WIDTHS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_MOST_BINS: Final = 8
#: Columns that the page leaves out where they hold zeros alone.
_COUNTS: Final = ("edited", "rejected", "sent back", "undecided", "failed", "by_person")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class JournalAudit:
    """What became of the plans in a journal.

    Attributes:
        outcomes: Every planning call that chose a plan, oldest first.
        unread: Why runs are left out, one sentence each.
    """

    outcomes: tuple[PlanningOutcome, ...]
    unread: tuple[str, ...] = ()

    @property
    def scores(self) -> pd.DataFrame:
        """One row per set of rules and bin of points: how many plans were approved, and failed.

        `kept` is the share approved without an edit among the plans that were decided about,
        `failures` the share of failed ones among the plans that ran, each with its 95 % interval.
        """
        from okso_jupyter.frames.journal_tables import scores_frame  # noqa: PLC0415  pandas is slow

        scales = dict.fromkeys(outcome.scale for outcome in self.outcomes)
        rows = [row for scale in scales for row in _bins(scale, self._of(scale))]
        return scores_frame(rows)

    @property
    def rules(self) -> pd.DataFrame:
        """One row per rule: how often it decided between plans, the most frequent first.

        `decided` counts the choices that fall otherwise without the rule, `led` those where it gave
        the largest part of the lead over the best different plan.
        """
        from okso_jupyter.frames.journal_tables import rules_frame  # noqa: PLC0415  see above

        return rules_frame(_rules([one for one in self.outcomes if one.lead is not None]))

    @property
    def requests(self) -> pd.DataFrame:
        """One row per planning call, the newest first: its points, its rule, and what became of it.

        `best` is the most points that a plan for a request can have, `share` the part of it that
        the plan has.
        """
        from okso_jupyter.frames.journal_tables import requests_frame  # noqa: PLC0415  see above

        return requests_frame(
            [
                {
                    **asdict(one),
                    "rule": one.rule,
                    "share": one.score / one.best if one.best else None,
                }
                for one in reversed(self.outcomes)
            ]
        )

    def _of(self, scale: str) -> list[PlanningOutcome]:
        return [outcome for outcome in self.outcomes if outcome.scale == scale]

    def __repr__(self) -> str:
        return visible(self._sentence)

    @property
    def _sentence(self) -> str:
        """What was read, and what was not."""
        runs = len({outcome.run_id for outcome in self.outcomes})
        plans = f"{counted(len(self.outcomes), 'plan')} of {counted(runs, 'run')}"
        decided = f"{sum(bool(one.decision) for one in self.outcomes):,} decided about"
        left = "".join(f" Left out: {why}." for why in self.unread)
        return f"{plans}, {decided}.{left}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Return what was read with the tables of scores and rules, as HTML and text."""
        del include, exclude
        scores, rules = self.scores, self.rules
        unused = [name for name in _COUNTS if not scores[name].any()]
        tables = {
            "Plans by their points": _with_intervals(
                _with_ranges(scores.drop(columns=unused)),
                {"kept": ("kept_low", "kept_high"), "failures": ("failures_low", "failures_high")},
            ),
            "Rules that decided": _with_intervals(
                rules[(rules["decided"] > 0) | (rules["led"] > 0)], {"share": ("low", "high")}
            ),
        }
        html = [f"<h4>{title}</h4>{table_page(table)}" for title, table in tables.items()]
        text = [f"{title}\n{table!r}" for title, table in tables.items()]
        return {
            "text/html": f"<p class='{NO_MATH}'>{escape(self._sentence)}</p>{''.join(html)}",
            "text/plain": "\n\n".join([repr(self), *text]),
        }


def _with_ranges(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores with the ends of each bin in one column, "points"."""
    ends = scores[["from", "below"]].itertuples(index=False)
    shown = scores.drop(columns=["from", "below"])
    shown.insert(1, "points", [f"{low:g} to {high:g}" for low, high in ends])
    return shown


def _with_intervals(table: pd.DataFrame, bounds: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Return a table whose shares have their 95 % interval beside them, in one column.

    Args:
        table: The table.
        bounds: The columns of the lower and upper bounds, by that of the share.
    """
    shown = {
        share: [_interval(*row) for row in table[[share, *ends]].itertuples(index=False)]
        for share, ends in bounds.items()
    }
    left_out = [name for ends in bounds.values() for name in ends]
    return table.assign(**shown).drop(columns=left_out)


def _interval(share: float, low: float, high: float) -> str:
    """Return a share with its interval, such as "0.9 (0.75 to 0.97)"; empty if nothing counts."""
    return "" if math.isnan(share) else f"{share:.2g} ({low:.2g} to {high:.2g})"


def _bins(scale: str, outcomes: Sequence[PlanningOutcome]) -> list[dict[str, Any]]:
    """Return a row for each bin of points that holds a plan, the highest points first."""
    width = _width([outcome.score for outcome in outcomes])
    bins: dict[float, list[PlanningOutcome]] = {}
    for outcome in outcomes:
        bins.setdefault(math.floor(outcome.score / width) * width, []).append(outcome)
    return [_bin(scale, low, low + width, bins[low]) for low in sorted(bins, reverse=True)]


def _width(scores: Sequence[float]) -> float:
    spread = max(scores) - min(scores)
    return next((width for width in _WIDTHS if spread / width < _MOST_BINS), _WIDTHS[-1])


def _bin(
    scale: str, low: float, high: float, outcomes: Sequence[PlanningOutcome]
) -> dict[str, Any]:
    words = ("approved", "edited", "rejected", "sent back")
    counts = {word: sum(one.decision == word for one in outcomes) for word in words}
    decided, ran = sum(counts.values()), counts["approved"] + counts["edited"]
    failed = sum(one.is_failed for one in outcomes)
    kept = share_interval(counts["approved"], decided)
    failures = share_interval(failed, ran)
    return {
        "scale": scale, "from": low, "below": high, "plans": len(outcomes), **counts,
        "undecided": len(outcomes) - decided, "failed": failed,
        "by_person": sum(one.by == "user" for one in outcomes),
        "kept": kept[0], "kept_low": kept[1], "kept_high": kept[2],
        "failures": failures[0], "failures_low": failures[1], "failures_high": failures[2],
    }  # fmt: skip


def _rules(contested: Sequence[PlanningOutcome]) -> list[dict[str, Any]]:
    """Return a row per rule; those of another set of rules did not take part in a choice."""
    names = dict.fromkeys(rule for outcome in contested for rule in outcome.leads_by)
    rows = [_rule(name, contested) for name in names]
    return sorted(rows, key=lambda row: (-row["decided"], -row["led"]))


def _rule(name: str, contested: Sequence[PlanningOutcome]) -> dict[str, Any]:
    own = [outcome for outcome in contested if name in outcome.leads_by]
    decided = sum(name in outcome.decisive for outcome in own)
    share, low, high = share_interval(decided, len(own))
    return {
        "rule": name,
        "choices": len(own),
        "decided": decided,
        "share": share,
        "low": low,
        "high": high,
        "led": sum(outcome.rule == name for outcome in own),
        "mean_lead": sum(outcome.leads_by[name] for outcome in own) / len(own),
    }
