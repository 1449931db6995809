"""Tables of policies: the rules that count, and the rules that decided about the steps of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from okso_jupyter.frames.columns import Column, frame

if TYPE_CHECKING:
    import pandas as pd

    from okso_jupyter.plan.matched_rule import MatchedRule

#: A step's id, its tool, "shown" or "called", and the rule.
RuleUse = tuple[int, str, str, "MatchedRule"]

_RULES: Final[tuple[Column[MatchedRule], ...]] = (
    Column("decision", "object", "", lambda r: r.decision),
    Column("rule", "object", "", lambda r: r.rule),
    Column("reason", "object", "", lambda r: r.reason),
    Column("file", "object", "", lambda r: r.file),
    Column("line", "int64", "from 1", lambda r: r.line),
)
_USES: Final[tuple[Column[RuleUse], ...]] = (
    Column("step_id", "int64", "from 1", lambda use: use[0]),
    Column("tool", "object", "", lambda use: use[1]),
    Column("when", "object", "", lambda use: use[2]),
    Column("decision", "object", "", lambda use: use[3].decision),
    Column("rule", "object", "", lambda use: use[3].rule),
    Column("reason", "object", "", lambda use: use[3].reason),
    Column("file", "object", "", lambda use: use[3].file),
    Column("line", "int64", "from 1", lambda use: use[3].line),
)


_BACK_TESTS: Final[tuple[Column[tuple[MatchedRule, Mapping[str, int]]], ...]] = (
    Column("decision", "object", "", lambda t: t[0].decision),
    Column("rule", "object", "", lambda t: t[0].rule),
    Column("covered", "int64", "calls", lambda t: sum(t[1].values())),
    Column("approved", "int64", "calls", lambda t: t[1].get("approved", 0)),
    Column("rejected", "int64", "calls", lambda t: t[1].get("rejected", 0)),
    Column("edited", "int64", "calls", lambda t: t[1].get("edited", 0)),
    Column("undecided", "int64", "calls", lambda t: t[1].get("undecided", 0)),
    Column("file", "object", "", lambda t: t[0].file),
    Column("line", "int64", "from 1", lambda t: t[0].line),
)


def back_test_frame(tests: Sequence[tuple[MatchedRule, Mapping[str, int]]]) -> pd.DataFrame:
    """Return one row per rule, with the earlier calls that it covers by what was decided."""
    return frame(tests, _BACK_TESTS, nothing="There is no rule to try on the journal.")


def policy_frame(rules: Sequence[MatchedRule], *, nothing: str) -> pd.DataFrame:
    """Return one row per rule, in the order in which they are asked.

    Args:
        rules: The rules.
        nothing: The sentence shown if there are none.
    """
    return frame(rules, _RULES, nothing=nothing)


def rules_used_frame(uses: Sequence[RuleUse]) -> pd.DataFrame:
    """Return one row each time that a rule decided about a step or a call of a run."""
    return frame(uses, _USES, nothing="No rule decided about a step of this run.")
